define({})

SITENAME = 'Harbour'
SITEURL = ""
PATH = "content"

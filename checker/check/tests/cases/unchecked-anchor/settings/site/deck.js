show(location.hash)

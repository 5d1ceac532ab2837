console.error('404: no page at ' + location.pathname)

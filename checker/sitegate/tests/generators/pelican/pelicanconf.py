AUTHOR = 'Me'
SITENAME = 'Demo'
SITEURL = ""

PATH = "content"

TIMEZONE = 'Europe/Rome'

DEFAULT_LANG = 'en'

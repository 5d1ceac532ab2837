from pelicanconf import *

# SITEURL = "http://comment.example.com"
SITEURL = "https://acme.test/blog"

# Configuration file for the Sphinx documentation builder.
project = 'Harbour'
copyright = '2026, Jo'
author = 'Jo'
release = '1'
extensions = []
templates_path = ['_templates']
html_theme = 'alabaster'
html_baseurl = 'https://harbour.readthedocs.io/en/latest/'

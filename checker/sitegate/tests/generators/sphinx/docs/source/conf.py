# The settings of the harbour's documentation.
project = 'Harbour'
html_baseurl = 'https://harbour.readthedocs.io/en/latest/'

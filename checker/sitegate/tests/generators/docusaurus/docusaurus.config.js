const config = {
  url: process.env.DEPLOY_URL ?? 'https://harbour.org',
  baseUrl: '/handbook/',
  trailingSlash: false,
};

module.exports = config;

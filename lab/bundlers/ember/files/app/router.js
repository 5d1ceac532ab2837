// Two routes.
import EmberRouter from '@embroider/router';
import config from 'harbour/config/environment';

export default class Router extends EmberRouter {
  location = config.locationType;
  rootURL = config.rootURL;
}

Router.map(function () {
  this.route('second');
});

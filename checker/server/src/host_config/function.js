// Redirects and rewrites requests, so that every page has one URL. `settings` is inserted before this file:
// `moves` maps redirects, and `stripsSlash` says whether /dir/ redirects to /dir instead of the other way
// round.

function redirect(location) {
    return {
        statusCode: 301,
        statusDescription: 'Moved Permanently',
        headers: { location: { value: location } },
    };
}

function query(request) {
    var pairs = [];
    for (var name in request.querystring) {
        var parameter = request.querystring[name];
        (parameter.multiValue || [parameter]).forEach(function (entry) {
            pairs.push(name + (entry.value === '' ? '' : '=' + entry.value));
        });
    }
    return pairs.length ? '?' + pairs.join('&') : '';
}

function handler(event) {
    var request = event.request;
    // The bucket decodes a path before it looks for the object, so escaped slashes and dots count, too.
    var uri = request.uri.replace(/%2f/gi, '/').replace(/%2e/gi, '.');
    var to = settings.moves[uri.replace(/^\/+/, '/').replace(/(.)\/+$/, '$1')];
    if (to) {
        var hash = (to + '#').indexOf('#');
        var added = to.slice(0, hash).indexOf('?') < 0 ? query(request) : '';
        return redirect(to.slice(0, hash) + added + to.slice(hash));
    }
    // No key has an empty segment, and two slashes at the start of a redirect would name another host.
    if (uri.indexOf('//') >= 0) {
        return request;
    }
    // S3 reads `+` as a space (measured: `+` 403, `%2B` 200).
    request.uri = request.uri.replace(/\+/g, '%2B');
    var last = uri.slice(uri.lastIndexOf('/') + 1);
    if (settings.stripsSlash) {
        return last === '' && uri !== '/' ? redirect(uri.slice(0, -1) + query(request)) : request;
    }
    if (last === '') {
        request.uri = uri.replace(/\+/g, '%2B') + 'index.html';
    } else if (last.indexOf('.') < 0) {
        return redirect(uri + '/' + query(request));
    }
    return request;
}

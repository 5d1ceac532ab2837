window.onhashchange = () => open(location.hash.slice(3));

document.querySelectorAll('pre').forEach(mark);
function mark(pre) { pre.id = 'line' + 1; }

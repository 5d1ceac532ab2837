const css = "@font-face{src:url(/assets/plex-B3x_9kQz.woff2) format(\"woff2\")}";
const plain = '.a{background:url("/assets/gone-DiwrgTda.png")} .b{background:url(/assets/icon-C7tAw885.svg)}.c{background:url(images/none.png)}';
const template = `.d{background:url(./near-D2qFrAD1.webp)}`;
document.head.append(css, plain, template);

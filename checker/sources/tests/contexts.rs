//! Contexts of references and of look-alikes in markup, templates, style sheets, data and scripts. In each text, the
//! references are between `«` and `»`.

use sitegate_html::element_table::URL_ATTRIBUTES;
use sitegate_html::url_attribute::Effect;
use sitegate_sources::{Manner, SourceOptions, SourceScan, scan};

/// Returns a text without marks, and the ranges between them.
fn unmarked(marked: &str) -> (String, Vec<std::ops::Range<usize>>) {
    let (mut text, mut ranges) = (String::new(), Vec::new());
    for part in marked.split('«') {
        match part.split_once('»') {
            Some((inside, after)) => {
                ranges.push(text.len()..text.len() + inside.len());
                text.push_str(inside);
                text.push_str(after);
            }
            None => text.push_str(part),
        }
    }
    (text, ranges)
}

fn scanned<'t>(path: &str, text: &'t str) -> SourceScan<'t> {
    scan(path, text, SourceOptions::default())
}

/// Checks the references of a text.
#[track_caller]
fn check(path: &str, marked: &str) {
    let (text, expected) = unmarked(marked);
    let scan = scanned(path, &text);
    let certain = scan.references.iter().filter(|reference| reference.manner != Manner::Text);
    let found: Vec<_> = certain.map(|reference| &text[reference.range.clone()]).collect();
    let destinations: Vec<_> = expected.into_iter().map(|range| &text[range]).collect();
    assert_eq!(found, destinations, "{path}: {text}");
}

/// Checks that two texts are found, or not, in each of the contexts.
#[track_caller]
fn check_all(path: &str, contexts: &[&str]) {
    for context in contexts {
        check(path, context);
        // The same context must be found after others, and end where it ends.
        let is_whole =
            context.starts_with(['-', '+', '{', '"', '[', '\u{feff}']) || context.ends_with("open");
        if !is_whole && path.ends_with("html") {
            check(path, &format!("<p>a</p>{context}\n<a href=«/z/»>"));
        }
    }
}

#[test]
fn attributes_of_html() {
    check_all(
        "a.html",
        &[
            "<a href=\"«/x/»\">",
            "<a href='«/x/»' class=b>",
            "<a class=b href=«/x/»>",
            "<A HREF = \"«/x/»\" >",
            "<a href=\" «/x/»\n\">",
            "<a href=\"«/x/?a=1&amp;b=2#c»\">",
            "<a href=\"«guide/a b.html»\">",
            "<a href>",
            "<a href=\"\">",
            "<a title=\"a href='/x/'\" alt='<a href=\"/x/\">'>",
            "<a href=\"«/x/»\" href=\"/y/\">",
            "<img src=«a.png» srcset=\"«b.png» 1x, «c,d.png» 2x,«e.png»\">",
            "<img srcset='\n  «b.png» 320w,\n  «c.png» 640w\n'>",
            "<source srcset=«b.png»>",
            "<link rel=preload as=image imagesrcset=\"«b.png» 1x\">",
            "<video poster=«p.png» src=\"«v.mp4»\"></video>",
            "<blockquote cite=\"«/x/»\">",
            "<form action=\"«/x/»\"><button formaction=«/y/»>",
            "<object data=«x.pdf»></object><div data=/x/>",
            "<a href=«/x/» ping=\"«/p/» «/q/»\">",
            "<html manifest=«x.appcache»><body background=«b.png»>",
            "<meta http-equiv=refresh content=\"0; url=«/x/»\">",
            "<META HTTP-EQUIV=Refresh CONTENT=\"0;URL='«/x/»'\">",
            "<meta http-equiv=refresh content=\"5\">",
            "<meta property=\"og:image\" content=\"«https://e.org/x.png»\">",
            "<meta name=description content=\"see /x/ or a.html\">",
            "<meta name=viewport content=\"width=device-width\">",
            "<p style=\"background: url(«b.png»)\">",
            "<svg><a xlink:href=\"«/x/»\"><title>a</title><use href=\"«#i»\"/></a></svg>",
            "<svg><title>a<a href=«/x/»></title></svg>",
            "<my-card link=\"«/x/»\" image=«i.png» url=«/u/» to=\"«/t/»\">",
            "<div data-src=\"«a.png»\" data-href=\"«b»\" data-x=\"y\" data-version=1.2 data-page=«/x/»>",
            "<base href=\"/x/\">",
            "<pre><a href=\"«/x/»\">a</a></pre><code><a href=«/y/»></code>",
            "<template><a href=\"«/x/»\"></template>",
            "<noscript><img src=\"«x.png»\"></noscript>",
            "<iframe src=\"«/x/»\"><a href=/no/></iframe>",
            "<a href=\"«/é/ü»\">ü</a><a href=«/y/»>",
        ],
    );
}

#[test]
fn attributes_of_the_table() {
    // A base changes all other references, and is none.
    for row in URL_ATTRIBUTES.iter().filter(|row| row.effect != Effect::Base) {
        let scan = scanned("page.html", row.example);
        assert!(scan.references.iter().any(|found| found.target.contains("gone")), "{}", row.example);
    }
}

#[test]
fn text_of_html_that_is_no_markup() {
    check_all(
        "a.html",
        &[
            "<!-- <a href=\"/x/\"> -->",
            "<!--><a href=«/x/»><!-- -->",
            "<!-- a --!><a href=«/x/»>",
            "<? a href=\"/x/\" ?>",
            "<script>var api = \"/x/\"; a = '<a href=\"/x/\">';</script>",
            "<script><!-- <script> \"</script>\" <a href=/x/> --></script>",
            "<script src=\"«x.js»\">fetch('/x/')</script>",
            "<script type=module>import a from \"«./x.js»\"; fetch('/x/')</script>",
            "<script type=module>import(\"«/x.js»\")</script>",
            "<script type=text/x-template><a href=/x/></script>",
            "<script type=\"application/ld+json\">{\"url\": \"«https://e.org/x/»\", \"name\": \"/x/\"}</script>",
            "<script type=importmap>{\"imports\": {\"/a/\": \"«/x.js»\"}}</script>",
            "<style>a { background: url(«x.png») } /* url(y.png) */</style>",
            "<textarea><a href=\"/x/\"></textarea>",
            "<TITLE><a href=\"/x/\"></title >",
            "<xmp><a href=\"/x/\"></xmp>",
            "<noembed><a href=\"/x/\"></noembed>",
            "&lt;a href=\"/x/\"&gt;",
            "a < b href=\"/x/\" >",
        ],
    );
    check("a.html", "<plaintext><a href=/x/></plaintext><a href=/x/>");
    check("a.html", "<a href=\"/x/");
    check("a.html", "<a href=\"«/y/»\"><!-- <a href=/x/>");
}

#[test]
fn expressions_of_template_languages() {
    check_all(
        "a.html",
        &[
            "<a href=\"{{ '«/x/»' | relative_url }}\">",
            "<a href='{{ \"«/x/»\" | relURL }}' class=\"{{ a }}\">",
            "<a href={{ \"«/x/»\" | relURL }} class=b>",
            "<a href=\"{% link «_posts/x.md» %}\">",
            "<a href=\"{{ site.baseurl }}{% link «x.md» %}\">",
            "<a href=\"{{ relref . \"«x.md»\" }}\">",
            "<a href=\"<%= '«/x/»' %>\">",
            "<a href=\"/x/{{ b }}/\">",
            "<a href=\"{{ b }}/x/\">",
            "<a href={{ b }} title=\"/x/\">",
            "<a href=/x/{{ b }}/c/>",
            "<a href=\"{{ url_for('x') }}\">",
            "<a href=\"{% if a %}/x/{% else %}/y/{% endif %}\">",
            "<a {{ if a > b }}href=\"«/y/»\"{{ end }}>",
            "<a {% if a %}href=\"«/y/»\" class=\"b\"{% endif %}>",
            "<div <%= attributes(\"a > b\") %>><a href=«/y/»></div>",
            "<a class=\"{% if a == \"b\" %}c{% endif %}\" href=\"«/y/»\">",
            "<img srcset=\"{{ a }} 1x, b.png 2x\" src=\"«c.png»\">",
            "<a href=\"{{{ b }}}\">",
            "{{ \"<a href='/x/'>\" }}",
            "{{ partial \"/x/\" . }}",
            "{% include x.html url=\"/x/\" %}",
            "{{ a }} < {{ b }}",
            "<a href=\"{{ a\">b</a>",
            "<a :href=\"'«/x/»'\" @click=\"a > b\">",
            "<script>a = {b: {c: {}}}</script><a href=«/x/»><script>{{ a }}</script>",
        ],
    );
    check("a.njk", "---\nlink: «/a/»\n---\n<a href=\"{{ '«/x/»' | url }}\">");
    check(
        "a.svg",
        "<?xml version=\"1.0\"?>\n<svg><script href=\"«x.js»\"/><title/><style/><a xlink:href=\"«/y/»\"/></svg>",
    );
    check("a.xhtml", "<?xml version='1.0'?><html><script src='«x.js»'/><textarea/><a href='«/y/»'/></html>");
    check("a.svg", "<svg><style><![CDATA[ a { b: url(«x.png») } ]]></style><a href=\"«/y/»\"/></svg>");
    check("a.liquid", "<a href=\"{{ \"«/x/»\" | absolute_url }}\">");
}

#[test]
fn comments_and_raw_blocks_of_template_languages() {
    check_all(
        "a.html",
        &[
            "{% comment %}<a href=\"/x/\">{% endcomment %}<a href=\"«/y/»\">",
            "{%- raw -%}<a href=\"/x/\">{%- endraw -%}<a href=\"«/y/»\">",
            "{# <a href=\"/x/\"> #}<a href=\"«/y/»\">",
            "{{/* <a href=\"/x/\"> */}}<a href=\"«/y/»\">",
            "{{- /* <a href=\"/x/\"> */ -}}<a href=\"«/y/»\">",
            "{{!-- <a href=\"/x/\"> --}}{{! <a href=/x/> }}<a href=\"«/y/»\">",
            "<%# <a href=\"/x/\"> %><%-- <a href=/x/> --%><a href=\"«/y/»\">",
            "{% highlight html %}<a href=\"/x/\">{% endhighlight %}<a href=\"«/y/»\">",
            "{% comment %}{% link x.md %}{% endcomment %}{% link «y.md» %}",
            "<style>a{/* b */}</style><a href=\"«/y/»\"><script>c={/* d */}</script>",
            "<script>f(){/*</script><a href=\"«/y/»\"><script>*/}</script>",
            "<p>{/* <a href=\"«/y/»\"> */}</p>",
            "<a href=\"{# a #}/x/\" title=\"{% raw %}<a href=/x/>{% endraw %}\"><a href=\"«/y/»\">",
            "<a href=\"«/x/{#»\"><a href=\"«/y/»\">",
        ],
    );
}

#[test]
fn components() {
    check_all(
        "a.vue",
        &[
            "<template><router-link to=\"«/x/»\" /><RouterLink :to=\"'«/y/»'\">a</RouterLink></template>",
            "<template><a v-bind:href=\"`«/x/»`\" :title=\"'/y/'\">{{ a < b ? '<a href=/z/>' : '' }}</a></template>",
            "<template><a :href=\"withBase('«/x/»')\" :src=\"a + '/y/'\" @click=\"go('/z/')\"></template>",
            "<script setup lang=\"ts\">\nimport A from '«./A.vue»'\nconst a: B = [{ link: '«/x/»' }]\n// '/y/'\n</script>",
            "<style scoped>a { background: url('«@/x.png»') }</style>",
            "<template lang=\"pug\">\na(href=\"/x/\")\n<a href=/x/>\n</template><a href=\"«/y/»\"/>",
            "<template><Title>a <a href=\"«/x/»\"/></Title><textarea :value=\"a\" /><a href=«/y/»></template>",
            "<template><!-- <a href=\"/x/\"> --></template>",
        ],
    );
    check_all(
        "a.astro",
        &[
            "---\nimport A from '«../A.astro»';\nconst a = { href: '«/x/»' };\nif (a) return;\n---\n<a href=\"«/y/»\">",
            "---\n// import A from '/x/'\n---\n<A href={\"«/x/»\"} to={`«/y/»`} b={{ c: '/z/' }} {...d}/>",
            "<ul>{items.map((a) => <li><a href=\"«/x/»\" class={a > b}>don't</a></li>)}</ul><a href=«/y/»>",
            "{/* <a href=\"/x/\"> */}<a href=\"«/y/»\">",
            "{\"<a href='/x/'>\"}{`<a href=\"/x/\">`}<a href=\"«/y/»\">",
            "{a && (<><a href=\"«/x/»\">b</a></>)}{a < b}<br><a href=\"«/y/»\">",
            "<a href={`/a/${b}`} href={a + '/x/'}><A on={() => { a > \"}\" }} href=\"«/y/»\">",
            "<a href={// '/x/'\n'/x/'}>",
            "<script>import a from '«./x.ts»'; const b: C = '/y/';</script>",
            "<script is:inline>const b = { href: '/y/' };</script>",
            "<p>it's {a} isn't</p><a href=\"«/x/»\">",
        ],
    );
    check_all(
        "a.svelte",
        &[
            "<script>\nimport A from '«./A.svelte»';\nlet a = [{ href: '«/x/»' }];\n</script>\n<a href={'«/y/»'}>",
            "{#if a < b}<a href=\"«/x/»\">{:else}<a href='«/y/»'>{/if}",
            "<a href=\"/x/{b}\" class=\"{a ? \"b\" : \"c>\"}\"><a href=\"«/y/»\">",
            "<A on:click={() => go('/x/')} href=\"«/y/»\" />{@html '<a href=\"/x/\">'}",
            "<a href={resolve('«/x/»')}>",
        ],
    );
}

#[test]
fn style_sheets() {
    for path in ["a.css", "a.scss", "a.less"] {
        check_all(
            path,
            &[
                "a { b: url(«x.png») } c { d: url( '«y z.png»' ) }",
                "a{b:url(«x.png»)format('woff2'),url(\"«y.png»\")}",
                "@import '«a.css»' screen; @import url(«b.css»); @import url(\"«c.css»\");",
                "@namespace url(http://x/); @namespace a 'http://y/'; a { b: url(«c.png») }",
                "a { b: image-set('«x.avif»' type('image/avif'), url(«y.png») 2x) }",
                "/* url(x.png) */ a { content: 'url(x.png)' }",
                "a { b: url(«x\\ y.png») }",
                "a { b: url(«//cdn.example/x.png»); c: url('«https://e.org/y.png»') }",
                "@media print { a { b { c: url(«x.png») } } }",
                "a { content: 'it\\'s' } b { c: url(«x.png») }",
                "a { b: url(\"\") } c { d: url() }",
                "@font-face { src: url(«a.woff2») format(\"woff2\"); }",
            ],
        );
    }
    check_all(
        "a.scss",
        &[
            "// don't url(x.png)\na { b: url(«y.png») }",
            "a { b: url(\"#{$base}/x.png\"); c: url($x); d: url($base + \"/x.png\"); e: url(\"/x\" + $y) }",
            "a { b: url(«y.png»); // url(x.png)\n}",
        ],
    );
    check(
        "a.sass",
        "@import '«a»', \n  '«b.css»'\n@import url(«c.css»)\na\n  content: 'd.css'\n  e: url('«f.png»')\n",
    );
    check("a.sass", "// a\n   b: url(x.png)\na\n  b: url(«y.png»)\n");
    check("a.scss", "a { b: image-set($c + '/x.png' 1x, '«y.png»' 2x) }\n---\n@import '«z»';");
    check("a.less", "a { b: url(\"@{base}/x.png\"); c: url(@x); d: url('«y.png»') }");
}

#[test]
fn json() {
    check_all(
        "a.json",
        &[
            "{\"link\": \"«/x/»\", \"text\": \"/x/\", \"items\": [\"«a.md»\", \"b\"]}",
            "{\"/key/\": \"«\\/x\\/»\", \"title\": \"a/b\", \"description\": \"see /x/\"}",
            "{\"redirect_from\": [\"/x/\"], \"aliases\": {\"a\": \"/x/\"}, \"to\": \"«setup»\"}",
            "// \"/x/\"\n[\"«/y/»\", /* \"/z/\" */ \"«\\u002fz»\",]",
            "[{\"source\": \"/a/\", \"destination\": \"«/b/»\"}]",
            "\u{feff}{\"href\": \"«/x/»\"} // end",
            "{\"href\": \"/x/\"",
            "{\"a\": {{ b | jsonify }}, \"href\": \"/x/\"}",
            "{'href': '«/x/»', href: \"«/y/»\"}",
        ],
    );
    check(
        "sidebars.json",
        "{\"docs\": [\"«intro»\", {\"type\": \"doc\", \"id\": \"«guide/setup»\"}, {\"type\": \"category\", \"items\": [\"«a/b»\"]}]}",
    );
    let found = scanned("a.json", "[\"\\/x\\/\"]");
    assert_eq!(found.references[0].target, "/x/");
    assert_eq!(found.references[0].range, 2..7);
}

#[test]
fn yaml() {
    check_all(
        "a.yml",
        &[
            "nav:\n  - Home: «index.md»\n  - '«guide/a b.md»'\n  - [«x.md», \"«y.md»\"] # z.md\n",
            "- title: a/b\n  url: «/x/» # /y/\n  children: &a\n  - {url: «/z/», name: /n/}\n- *a\n",
            "redirects:\n  - from: /a/\n    to: «/b/»\nredirect_from: [/c/, /d/]\naliases:\n- /e/\n",
            "a: |\n  /x/\nb: >-\n  /y/\nc: \"/x\n  /y\"\nd: \"«\\x2fx»\"\ne: '/it''s a'\nf: '«/it''s»'\n",
            "a: «/é/»\nb: \"ü\" # ü\nc: «/ö/»\n---\nd: «/x/»\n...\n",
            "a: !ENV /x/\n\"/key/\": «/x/»\n? [/a/, /b/]\n: «/c/»\n",
            "a: b/c d\ndescription: x/y.md\n",
            "a:\t«/x/»\r\nb: «/y/»\r\n",
            "a: [/x/\n",
            "a:\n  b: [\n    «/x/», # ]\n    '«/é/»',\n  ]\n  c: {\n    d: '«/y/»'\n  }\n",
            "a: 3.14\nb: 2024-01-01\nc: .5\nd: «/404»\n",
            "a: \"{{ site.url }}/x/\"\n",
        ],
    );
    check(
        "_toc.yml",
        "root: «intro»\nparts:\n- chapters:\n  - file: «guide/setup»\n    title: a\n  - url: «https://e.org/»\n",
    );
    check("_toc.yml", "root: ''\nchapters:\n- file:\n- file: «b»\n");
    let comments = "a: 'x # y' # c1\n# c2\nb: x#y\n";
    let found = scanned("a.yml", comments);
    let inert: Vec<_> = found.inert.iter().map(|range| &comments[range.clone()]).collect();
    assert_eq!(inert, ["# c1", "# c2"]);
}

#[test]
fn toml() {
    check_all(
        "a.toml",
        &[
            "[[redirects]]\nfrom = \"/a\"\nto = \"«/b»\" # \"/c\"\n",
            "a = '«/x»'\nb = \"«\\u002Fx»\"\nc = \"\"\"/x\"\"\"\nd = ['''/x''', \"«/y»\", {e = \"«/z»\", title = \"/t\"}]\n",
            "[[menu.main]]\nname = \"/n\"\nurl = \"«/x/»\"\n[aliases]\na = \"/x\"\n\"/k\" = 1\n",
            "a = \"/x\n",
        ],
    );
    let text = "a = \"x # y\" # c1\n# c2\n'#k' = 1\n";
    let inert: Vec<_> =
        scanned("a.toml", text).inert.iter().map(|range| text[range.clone()].to_owned()).collect();
    assert_eq!(inert, ["# c1", "# c2"]);
}

#[test]
fn front_matter() {
    check_all(
        "a.html",
        &[
            "---\naliases: [/x/]\nurl: /own/\nnext: «./n.md»\nmenu:\n  main:\n    url: «/m/»\n---\n<a href=\"«/y/»\">",
            "+++\nslug = \"/x\"\nimage = \"«i.png»\"\n+++\n<a href=\"«/y/»\">",
            "---json\n{\"permalink\": \"/x/\", \"next\": \"«/n/»\"}\n---\n<a href=\"«/y/»\">",
            "{\n  \"url\": \"/x/\",\n  \"next\": \"«/n/»\"\n}\n<a href=\"«/y/»\">",
            "\u{feff}---\r\nredirect_from: \"/x/\"\r\nnext: «/n/»\r\n---\r\n<a href=\"«/y/»\">",
            "---\na: /x/\n<a href=\"«/y/»\">",
            "---\n---\n<a href=\"«/y/»\">",
            "--- a\nb: /x/\n---\n<a href=\"«/y/»\">",
        ],
    );
}

#[test]
fn scripts() {
    check_all(
        "a.js",
        &[
            "export default { nav: [{ text: '/t/', link: '«/x/»' }], path: '/y/', \"href\": `«/z/»` }",
            "import a from '«./a.js»'; export * from \"«./b.js»\"; export { c } from './«»c.js'"
                .replace("./«»c.js", "«./c.js»")
                .as_str(),
            "const a = require('«./a.js»'); import('«./b.js»'); new URL('«./c.png»', import.meta.url)",
            "// link: '/x/'\n/* link: '/x/' */ const a = { link: '«/y/»' }",
            "a = { link: '/a/' + b, c: `/d/${e}`, f: g ? '/h/' : '/i/', 'j/k': 1, ['/l/']: 2 }",
            "'use strict'; a = /\\/x\\/'/; b = { href: '«\\x2fx»' }",
            "a = ['«/x/»', 'b', '«#c»', 'd/e f']",
            "switch (a) { case '/x/': b['/y/'] = css`url(/z/)` }",
            "a = { link: '/x/'",
            "return { link: '«/x/»' }",
            "a = { items: [{ type: 'doc', docId: '«intro»' }], base: '/x/', activeMatch: '/x/' }",
            "a = { redirects: [{ from: '/a/', to: '«/b/»' }], redirect_from: ['/c/'] }",
        ],
    );
    check_all(
        "a.jsx",
        &[
            "<Link to=\"«/x/»\" title=\"/t/\">/y/</Link>",
            "<a href={\"«/x/»\"} onClick={() => go('/y/')} className=\"a/b\">{/* <a href=\"/z/\"> */}</a>",
            "<img src={`«/x.png»`} srcSet=\"«a.png» 1x, «b.png» 2x\" {...c} />",
            "<a href='«/x?a&amp;b»'>{a ? <b><Link to='«/y/»'/></b> : null}</a>",
            "<a href={a + '/x/'} to={`/y/${b}`}>\"/z/\" href=\"/z/\"</a>",
            "<Card items={[{ href: '«/x/»' }]} imageUrl=\"«/i.png»\" />",
            "<a href=\"/x/\">",
        ],
    );
    check_all(
        "a.ts",
        &[
            "type A = '/x/' | '/y/'; interface B { c: '/z/' } const d: A = { link: '«/x/»' } as const",
            "enum A { '/x/' = 1 } declare module '/y/' { } import a = require('«./z»')",
            "const a = <B>{ link: '«/x/»' }; let b: Record<'/y/', string>",
            "class A { static link = '«/x/»'; @b('/y/') c(d: '/z/') {} }",
        ],
    );
    check("a.tsx", "const a = <T,>(b: T) => <Link to=\"«/x/»\">{b as '/y/'}</Link>");
    check(
        "sidebars.ts",
        "export default { docs: ['«intro»', { type: 'doc', id: '«a/b»', label: 'c/d' }, { href: '«https://e.org/»' }] }",
    );
    let found =
        scanned("a.js", "const base = '/x/'; go('A b', 'guides/y', 'w'); a = '/z/' + b; <A b='/c/'/>");
    let texts: Vec<_> = found.references.iter().map(|found| (found.manner, &*found.target)).collect();
    assert_eq!(texts, [(Manner::Text, "/x/"), (Manner::Text, "guides/y"), (Manner::Text, "/c/")]);
}

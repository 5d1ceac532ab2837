/** The contract of a site: the settings of `sitegate.toml`. Generated from the schema: `npm run package -- --types`. */
/* oxlint-disable max-lines */

/** The contract of a static site: everything that is checked before it goes live. */
export interface Contract {
  /** Assertions about elements of pages. */
  assert?: Array<{
    /** Required attributes of each match: a value, true (present) or false (absent). */
    attributes?: Record<string, boolean | Setting> | undefined;
    /** Text that each match must contain. */
    contains?: string | undefined;
    /** Required number of matches on each page. */
    count?: number | undefined;
    /** End of each match's text. */
    'ends-with'?: string | undefined;
    /** Pages to exclude. */
    except?: Pages | undefined;
    /** How to fix a failure. Shown with the finding. */
    help?: string | undefined;
    /** A regular expression that must match a part of each match's text. */
    matches?: string | undefined;
    /** Maximum number of matches on each page. */
    max?: number | undefined;
    /** Minimum number of matches on each page. Default: 1. */
    min?: number | undefined;
    /** The assertion's name in findings. */
    name?: string | undefined;
    /** Whether the texts must start with 1, 2, 3 … in document order. */
    numbered?: boolean | undefined;
    /** The pages, by path, glob or @group. */
    pages: Pages;
    /** Attributes that must be equal in all matches on all pages. */
    same?: string[] | undefined;
    /** A CSS selector. */
    select: string;
    /** Start of each match's text. */
    'starts-with'?: string | undefined;
    /** Required text of each match. */
    text?: string | undefined;
    /** Required texts of all matches, in document order. */
    texts?: string[] | undefined;
    /** Tokens that each match's attributes must contain. */
    tokens?: Record<string, string[]> | undefined;
    /** Required values of an attribute over all matches, in document order. */
    values?: Record<string, string[]> | undefined;
  }> | undefined;
  /** Options of the check. */
  check?: {
    /** A baseline file: only findings that are not in it fail the check. The seal covers it. */
    baseline?: string | undefined;
    /** Attributes and classes of other checkers, such as data-proofer-ignore: findings in their elements are ignored, except those of contract and security rules. */
    'ignore-attributes'?: string[] | undefined;
    /** Contract and security rules that pages may ignore with a comment or an attribute. With false, they may ignore no rule. */
    'inline-ignores'?: Rule[] | boolean | undefined;
  } | undefined;
  /** A shared base contract, or several. Tables merge, lists of tables are joined, and the file that extends wins. */
  extends?: string | string[] | undefined;
  /** External link checks, with --external. */
  external?: {
    /** Private networks that may be requested, such as 10.0.0.0/8. */
    'allow-addresses'?: string[] | undefined;
    /** A PEM file of certificate authorities that are trusted in addition to those of the system. */
    certificates?: string | undefined;
    /** Maximum number of parallel requests to all hosts together. Default: 128. */
    concurrency?: number | undefined;
    /** Settings for all hosts that are not listed below `hosts`. */
    host?: {
      /** Statuses that count as success, such as 403. */
      accept?: number[] | undefined;
      /** Maximum number of parallel requests. Default: 6. */
      concurrency?: number | undefined;
      /** Whether to always use GET instead of HEAD. Default: false. */
      get?: boolean | undefined;
      /** Headers that are sent only to this host. Secrets come from an environment variable. */
      headers?: Record<string, string | {
        /** The name of the variable. */
        env: string;
      }> | undefined;
      /** Minimum number of seconds between the starts of two requests. Default: 0.05. */
      interval?: number | undefined;
      /** Whether to use the built-in profiles of well-known hosts. Default: true. */
      profile?: boolean | undefined;
    } | undefined;
    /** Settings for single hosts, by host name. */
    hosts?: Record<string, {
      /** Statuses that count as success, such as 403. */
      accept?: number[] | undefined;
      /** Maximum number of parallel requests. Default: 6. */
      concurrency?: number | undefined;
      /** Whether to always use GET instead of HEAD. Default: false. */
      get?: boolean | undefined;
      /** Headers that are sent only to this host. Secrets come from an environment variable. */
      headers?: Record<string, string | {
        /** The name of the variable. */
        env: string;
      }> | undefined;
      /** Minimum number of seconds between the starts of two requests. Default: 0.05. */
      interval?: number | undefined;
      /** Whether to use the built-in profiles of well-known hosts. Default: true. */
      profile?: boolean | undefined;
    }> | undefined;
    /** Maximum age of a good answer in the file of `--lock`, in days or hours. Default: 30d. */
    'max-age'?: string | undefined;
    /** Maximum number of retries after temporary failures. Default: 2. */
    retries?: number | undefined;
    /** URLs that are not checked, as globs such as `https://www.example.org/**`, or as regular expressions that start with ^. */
    skip?: string[] | undefined;
    /** Maximum number of seconds until the first byte of a response. Default: 20. */
    timeout?: number | undefined;
  } | undefined;
  /** Response headers by path. Later entries win. */
  headers?: Array<{
    /** Files, by path or glob. */
    paths: Paths;
    /** Header names and values. In a Content-Security-Policy, 'auto' adds the hashes of inline code. */
    set: Record<string, string>;
  }> | undefined;
  /** Ignored findings: they are counted, but do not fail the check. */
  ignore?: Array<{
    /** Files or pages, by path or glob. */
    paths?: Paths | undefined;
    /** The reason, required. It appears in reports and in the seal. */
    reason: string;
    /** The rule id. */
    rule?: Rule | undefined;
    /** A regular expression, searched in the reference as written and in the URL that it resolves to. */
    url?: string | undefined;
  }> | undefined;
  /** The inventory that `sitegate check --inventory` writes. */
  inventory?: {
    /** Anchors in the inventory: those of headings, terms, sections and figures (`headings`); these and all that a link of the site uses (`linked`, the default); or `all`. */
    anchors?: 'linked' | 'headings' | 'all' | undefined;
    /** Files that are left out, by path or glob. */
    ignore?: Paths | undefined;
  } | undefined;
  /** Levels by path. Later entries win. */
  override?: Array<{
    /** Files or pages, by path or glob. */
    paths: Paths;
    /** Levels for these paths. */
    rules: {
      /** a path uses `\` instead of `/` */
      'backslash-in-path'?: Level | undefined;
      /** a script imports a name that browsers cannot resolve */
      'bare-import'?: Level | undefined;
      /** robots.txt keeps search engines from the scripts or style sheets of pages */
      'blocked-asset'?: Level | undefined;
      /** the Content-Security-Policy blocks something that a page has */
      'blocked-by-csp'?: Level | undefined;
      /** another part of the site links to a page or an anchor that does not exist here */
      'breaks-part'?: Level | undefined;
      /** a link's fragment matches no element of the target page */
      'broken-anchor'?: Level | undefined;
      /** the fragment of an external link matches no element of the page */
      'broken-external-anchor'?: Level | undefined;
      /** an external link is broken */
      'broken-external-link'?: Level | undefined;
      /** a form posts to a page that is not in the export */
      'broken-form'?: Level | undefined;
      /** misnested markup in a prerendered application: hydration fails there */
      'broken-hydration'?: Level | undefined;
      /** an attribute refers to an id that no element on the page has */
      'broken-idref'?: Level | undefined;
      /** a script loads a module, chunk, worker, style sheet or file that is not in the export */
      'broken-import'?: Level | undefined;
      /** a link points to a page or file that is not in the export */
      'broken-link'?: Level | undefined;
      /** a redirect is broken, loops, or is malformed */
      'broken-redirect'?: Level | undefined;
      /** a text fragment quotes words that are not on the target page */
      'broken-text-fragment'?: Level | undefined;
      /** usemap matches no <map> of the page */
      'broken-usemap'?: Level | undefined;
      /** a missing file is answered with a page that browsers cache for long */
      'cached-fallback'?: Level | undefined;
      /** the host treats two files as one, because their names differ only in case */
      'colliding-name'?: Level | undefined;
      /** the hash in a file's name does not match its content */
      'content-hash-mismatch'?: Level | undefined;
      /** a file's content does not match its name: empty, truncated, an error page, a Git LFS pointer */
      'damaged-file'?: Level | undefined;
      /** the host does not publish a file, by its name, its size or the number of files */
      'dropped-file'?: Level | undefined;
      /** several elements of a page have the same id */
      'duplicate-id'?: Level | undefined;
      /** several pages have the same title */
      'duplicate-title'?: Level | undefined;
      /** a page is linked both with and without index.html */
      'duplicate-url'?: Level | undefined;
      /** a script or style sheet that the site loads is empty */
      'empty-asset'?: Level | undefined;
      /** the export contains no pages */
      'empty-export'?: Level | undefined;
      /** a page is empty */
      'empty-page'?: Level | undefined;
      /** an element that loads a file has an empty URL, or none */
      'empty-reference'?: Level | undefined;
      /** a path contains %2F instead of a slash */
      'encoded-slash'?: Level | undefined;
      /** a live site's certificate expires soon */
      'expiring-certificate'?: Level | undefined;
      /** a reference points to a forbidden host */
      'forbidden-host'?: Level | undefined;
      /** a page contains forbidden text */
      'forbidden-text'?: Level | undefined;
      /** a sitemap lists pages of another host, or with http */
      'foreign-sitemap-url'?: Level | undefined;
      /** search engines are kept out of the whole site */
      'hidden-site'?: Level | undefined;
      /** a value has no effect, because its readers do not know it */
      'ignored-value'?: Level | undefined;
      /** an attribute that must be equal everywhere differs */
      'inconsistent-value'?: Level | undefined;
      /** browsers ignore an @import, because other rules come before it */
      'ineffective-import'?: Level | undefined;
      /** browsers ignore a policy, or a part of it */
      'ineffective-policy'?: Level | undefined;
      /** a preload has no effect, or makes browsers load a file twice */
      'ineffective-preload'?: Level | undefined;
      /** crawlers ignore a line of robots.txt, the whole file, or a word of a robots tag */
      'ineffective-robots'?: Level | undefined;
      /** a link uses http: instead of https: */
      'insecure-link'?: Level | undefined;
      /** an integrity attribute does not match the file, or cannot be checked */
      'integrity-mismatch'?: Level | undefined;
      /** a canonical link is empty or points to a page that is not canonical, or og:image is empty */
      'invalid-canonical'?: Level | undefined;
      /** a page contains bytes that are invalid in its encoding */
      'invalid-encoding'?: Level | undefined;
      /** hreflang links of pages and their translations are inconsistent */
      'invalid-hreflang'?: Level | undefined;
      /** an ignore in a page lacks a rule or a reason, or is not allowed in pages */
      'invalid-ignore'?: Level | undefined;
      /** a mailto link has no address, or an invalid one */
      'invalid-mailto'?: Level | undefined;
      /** a meta refresh has a syntax that browsers ignore */
      'invalid-meta-refresh'?: Level | undefined;
      /** a srcset has invalid or duplicate descriptors */
      'invalid-srcset'?: Level | undefined;
      /** a symbolic link points out of the export, to a missing file, or to its own folder */
      'invalid-symlink'?: Level | undefined;
      /** a tel link has no number, or letters instead of digits */
      'invalid-tel'?: Level | undefined;
      /** a reference is not a valid URL */
      'invalid-url'?: Level | undefined;
      /** a <base href> comes after an element that loads a relative URL */
      'late-base'?: Level | undefined;
      /** the export contains a private file, a private key or an access token */
      'leaked-file'?: Level | undefined;
      /** a source map contains the text of a private file */
      'leaked-source'?: Level | undefined;
      /** a live site redirects an internal link more than once */
      'live-redirect-chain'?: Level | undefined;
      /** a reference points to the author's own machine or network */
      'local-address'?: Level | undefined;
      /** an anchor that the site must keep no longer exists */
      'lost-anchor'?: Level | undefined;
      /** an address that the site must keep no longer exists, and no redirect replaces it */
      'lost-url'?: Level | undefined;
      /** an SVG or XML file, manifest, JSON-LD block or .well-known file is rejected by its readers */
      'malformed-file'?: Level | undefined;
      /** a script does not parse */
      'malformed-script'?: Level | undefined;
      /** browsers move markup, close it early or ignore it, because it is misnested */
      'misnested-markup'?: Level | undefined;
      /** a module runs as a classic script */
      'misplaced-module'?: Level | undefined;
      /** an image has no alt text */
      'missing-alt'?: Level | undefined;
      /** a page or style sheet loads a file that is not in the export */
      'missing-asset'?: Level | undefined;
      /** a page is served at two URLs */
      'missing-canonical-redirect'?: Level | undefined;
      /** a page does not declare its encoding */
      'missing-charset'?: Level | undefined;
      /** a page has no description */
      'missing-description'?: Level | undefined;
      /** a page has no doctype */
      'missing-doctype'?: Level | undefined;
      /** the site has no home page */
      'missing-home-page'?: Level | undefined;
      /** the server does not support HTTP/2 */
      'missing-http2'?: Level | undefined;
      /** the site does not redirect http to https */
      'missing-https-redirect'?: Level | undefined;
      /** a page has no icon */
      'missing-icon'?: Level | undefined;
      /** a link points to a folder without index.html */
      'missing-index'?: Level | undefined;
      /** an external script or style sheet has no integrity attribute */
      'missing-integrity'?: Level | undefined;
      /** a page has no language, or an unknown one */
      'missing-lang'?: Level | undefined;
      /** a file that a script may load later, or that is only preloaded, is not in the export */
      'missing-lazy-asset'?: Level | undefined;
      /** the host does not answer unknown paths with the not-found page of the site */
      'missing-not-found-page'?: Level | undefined;
      /** a script refers to a file that is not in the export, but may not need it */
      'missing-optional-import'?: Level | undefined;
      /** a page that the contract names is not in the export */
      'missing-page'?: Level | undefined;
      /** a script or style sheet refers to a source map that is not in the export */
      'missing-source-map'?: Level | undefined;
      /** a page has no title */
      'missing-title'?: Level | undefined;
      /** a reference has a misspelled scheme, not two slashes after it, or two URLs in one */
      'misspelled-scheme'?: Level | undefined;
      /** a page loads a file by http, and browsers block it */
      'mixed-content'?: Level | undefined;
      /** an external link redirects permanently */
      'moved-external-link'?: Level | undefined;
      /** no other page links to a page */
      'orphan-page'?: Level | undefined;
      /** the baseline lists a finding that no longer exists */
      'outdated-baseline'?: Level | undefined;
      /** a page loads an image, video or audio file by http */
      'passive-mixed-content'?: Level | undefined;
      /** a placeholder host is left in the site */
      placeholder?: Level | undefined;
      /** a redirect points to another redirect */
      'redirect-chain'?: Level | undefined;
      /** an internal link is redirected */
      'redirect-hop'?: Level | undefined;
      /** a frame shows a page of a service that refuses to be framed */
      'refused-frame'?: Level | undefined;
      /** browsers refuse a module, an import map, a worker or a service worker */
      'refused-script'?: Level | undefined;
      /** a preview image that social networks do not show: in SVG, too small or too large */
      'refused-social-image'?: Level | undefined;
      /** the not-found page contains a relative reference */
      'relative-link-in-404'?: Level | undefined;
      /** a relative URL where crawlers and readers need an absolute one */
      'relative-url'?: Level | undefined;
      /** links open a page at an address where a relative reference of it is broken */
      'shifted-reference'?: Level | undefined;
      /** a sitemap lists a page that search engines do not index, or omits one that they do */
      'sitemap-mismatch'?: Level | undefined;
      /** a file, or a page with its files, exceeds its size budget */
      'size-budget'?: Level | undefined;
      /** the server does not answer 404 for an unknown path */
      'soft-404'?: Level | undefined;
      /** the export contains a FIFO, socket or device */
      'special-file'?: Level | undefined;
      /** a reference points to a preview or staging server, or to an old host of the site */
      'staging-host'?: Level | undefined;
      /** the inventory of a part, or a list of addresses to keep, is missing or too old */
      'stale-part'?: Level | undefined;
      /** the Content-Security-Policy allows an element by a nonce that never changes */
      'static-nonce'?: Level | undefined;
      /** links to a page have fragments that only a script can handle */
      'unchecked-anchor'?: Level | undefined;
      /** references begin with / and leave the inferred base path, so they are not checked */
      'unchecked-reference'?: Level | undefined;
      /** a tag, comment or element is open longer than written, and hides what follows */
      'unclosed-markup'?: Level | undefined;
      /** the server sends text without compression */
      'uncompressed-text'?: Level | undefined;
      /** a path contains a space that is not encoded as %20 */
      'unencoded-space'?: Level | undefined;
      /** a speculation rule has a URL or pattern that matches no page */
      'unmatched-speculation-rule'?: Level | undefined;
      /** a file's name cannot be published: control characters, `.sitegate/`, too long for a bucket */
      'unpublishable-name'?: Level | undefined;
      /** nothing refers to a file */
      'unreferenced-file'?: Level | undefined;
      /** a reference contains template syntax or a script value that was not replaced */
      'unrendered-reference'?: Level | undefined;
      /** visitors read template syntax, or the text of a missing value */
      'unrendered-text'?: Level | undefined;
      /** a link opens an external site in a new window without noopener */
      'unsafe-target-blank'?: Level | undefined;
      /** a rule or a line of _headers has no effect, or two rules set Cache-Control */
      'unused-header'?: Level | undefined;
      /** an ignore matches no finding */
      'unused-ignore'?: Level | undefined;
      /** a redirect never applies, because a file or an earlier redirect answers its paths */
      'unused-redirect'?: Level | undefined;
      /** an external link could not be verified */
      'unverified-external-link'?: Level | undefined;
      /** an element's attribute does not match the contract */
      'wrong-attribute'?: Level | undefined;
      /** the server sends a file with the wrong Content-Type */
      'wrong-content-type'?: Level | undefined;
      /** a page has too few or too many elements for the contract */
      'wrong-count'?: Level | undefined;
      /** a live response does not have the headers that the contract sets */
      'wrong-header'?: Level | undefined;
      /** headings or clauses are not numbered 1, 2, 3 … in document order */
      'wrong-numbering'?: Level | undefined;
      /** elements are not in the order that the contract lists */
      'wrong-order'?: Level | undefined;
      /** an element's text does not match the contract */
      'wrong-text'?: Level | undefined;
    };
  }> | undefined;
  /** Required pages, and groups of pages. */
  pages?: {
    /** Named lists of pages, used as @name. */
    groups?: Record<string, string[]> | undefined;
    /** Pages that must exist in the export. */
    required?: Paths | undefined;
  } | undefined;
  /** Parts of the site that other repositories publish, or other sites with an inventory. */
  parts?: Array<{
    /** A path below the origin, such as /blog/, or a URL. It ends with a slash. */
    at: string;
    /** The branch whose inventory is used if `{branch}` in `inventory` has none of its own. Default: main. */
    'default-branch'?: string | undefined;
    /** A file to use if the inventory at a URL was not requested. */
    fallback?: string | undefined;
    /** A file, relative to this file, or a URL: an inventory of sitegate, objects.inv, site-manifest.json, xrefmap.yml, or a sitemap. `{branch}` is replaced by the branch of this checkout. */
    inventory: string;
    /** Maximum age of a cached inventory, in days or hours, such as 14d. */
    'max-age'?: string | undefined;
  }> | undefined;
  /** Addresses that must not be lost. */
  permalinks?: {
    /** Addresses that may be lost. */
    gone?: Array<{
      /** Addresses by path or glob, with or without an anchor. */
      paths: Paths;
      /** The reason, required. */
      reason: string;
      /** 410: `sitegate serve` and `sitegate host-config` for nginx, Apache and Caddy answer 410 instead of 404. */
      status?: 410 | undefined;
    }> | undefined;
    /** Lists of addresses that must not be lost, as files relative to this file, or URLs: inventories, sitemaps, lists of URLs, CSV exports of search consoles, access logs, and targets of `sitegate publish`, such as `s3://my-site`. */
    keep?: Array<string | {
      /** A file or a URL. */
      file: string;
      /** Minimum number of 404s of an address in an access log. Default: 10. */
      'min-requests'?: number | undefined;
    }> | undefined;
  } | undefined;
  /** Redirects of moved URLs. */
  redirects?: Array<{
    /** The old path, such as /old: below the base path. Characters that are not ASCII may be percent-encoded. */
    from: string;
    /** The new path, with the base path, or a URL. */
    to: string;
  }> | undefined;
  /** Reviews of a change by `sitegate diff`. */
  review?: {
    /** Kinds of causes for which `sitegate diff` exits with 1. */
    fail?: Array<'lost-url' | 'moved-url' | 'redirected-url' | 'added-url' | 'noindex' | 'index' | 'policy' | 'target-host' | 'target' | 'text' | 'metadata' | 'attribute' | 'lost-anchor' | 'new-host' | 'inline-script' | 'file' | 'weight' | 'lastmod' | 'bytes'> | undefined;
  } | undefined;
  /** Levels and options of rules. */
  rules?: {
    /** a path uses `\` instead of `/` */
    'backslash-in-path'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a script imports a name that browsers cannot resolve */
    'bare-import'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** robots.txt keeps search engines from the scripts or style sheets of pages */
    'blocked-asset'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the Content-Security-Policy blocks something that a page has */
    'blocked-by-csp'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** another part of the site links to a page or an anchor that does not exist here */
    'breaks-part'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a link's fragment matches no element of the target page */
    'broken-anchor'?: Level | {
      /** Regular expressions of fragments that are not checked, decoded and without `#`. */
      ignore?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** the fragment of an external link matches no element of the page */
    'broken-external-anchor'?: Level | {
      /** Regular expressions of fragments that are not checked, as in the URL, without `#`. */
      ignore?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** an external link is broken */
    'broken-external-link'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a form posts to a page that is not in the export */
    'broken-form'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** misnested markup in a prerendered application: hydration fails there */
    'broken-hydration'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an attribute refers to an id that no element on the page has */
    'broken-idref'?: Level | {
      level?: Level | undefined;
      /** Whether to check attributes whose elements scripts often add: aria-controls, aria-describedby and others. */
      scripted?: boolean | undefined;
    } | undefined;
    /** a script loads a module, chunk, worker, style sheet or file that is not in the export */
    'broken-import'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a link points to a page or file that is not in the export */
    'broken-link'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a redirect is broken, loops, or is malformed */
    'broken-redirect'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a text fragment quotes words that are not on the target page */
    'broken-text-fragment'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** usemap matches no <map> of the page */
    'broken-usemap'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a missing file is answered with a page that browsers cache for long */
    'cached-fallback'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the host treats two files as one, because their names differ only in case */
    'colliding-name'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the hash in a file's name does not match its content */
    'content-hash-mismatch'?: Level | {
      /** The algorithm of the hash, which is in hexadecimal. */
      algorithm?: 'md5' | 'sha256' | 'sha384' | 'sha512' | undefined;
      /** The files whose names contain a hash. */
      files?: string[] | undefined;
      level?: Level | undefined;
      /** A regular expression whose group `hash` matches the hash in the name. */
      pattern?: string | undefined;
    } | undefined;
    /** a file's content does not match its name: empty, truncated, an error page, a Git LFS pointer */
    'damaged-file'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the host does not publish a file, by its name, its size or the number of files */
    'dropped-file'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** several elements of a page have the same id */
    'duplicate-id'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** several pages have the same title */
    'duplicate-title'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page is linked both with and without index.html */
    'duplicate-url'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a script or style sheet that the site loads is empty */
    'empty-asset'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the export contains no pages */
    'empty-export'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page is empty */
    'empty-page'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an element that loads a file has an empty URL, or none */
    'empty-reference'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a path contains %2F instead of a slash */
    'encoded-slash'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a live site's certificate expires soon */
    'expiring-certificate'?: Level | {
      /** Minimum number of days until the certificate expires. */
      days?: number | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a reference points to a forbidden host */
    'forbidden-host'?: Level | {
      /** Hosts that the site must not refer to; `*.` matches any subdomain. */
      hosts?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a page contains forbidden text */
    'forbidden-text'?: Level | {
      level?: Level | undefined;
      /** Regular expressions. */
      patterns?: string[] | undefined;
      /** Literal texts, in any case. */
      texts?: string[] | undefined;
    } | undefined;
    /** a sitemap lists pages of another host, or with http */
    'foreign-sitemap-url'?: Level | {
      /** External hosts that sitemaps may list; `*.` matches any subdomain. */
      hosts?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** search engines are kept out of the whole site */
    'hidden-site'?: Level | {
      level?: Level | undefined;
      /** Hosts of the origin that are meant to be hidden; `*.` matches any subdomain. */
      staging?: string[] | undefined;
    } | undefined;
    /** a value has no effect, because its readers do not know it */
    'ignored-value'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an attribute that must be equal everywhere differs */
    'inconsistent-value'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** browsers ignore an @import, because other rules come before it */
    'ineffective-import'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** browsers ignore a policy, or a part of it */
    'ineffective-policy'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a preload has no effect, or makes browsers load a file twice */
    'ineffective-preload'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** crawlers ignore a line of robots.txt, the whole file, or a word of a robots tag */
    'ineffective-robots'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a link uses http: instead of https: */
    'insecure-link'?: Level | {
      /** Hosts that do not support https; `*.` matches any subdomain. */
      except?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** an integrity attribute does not match the file, or cannot be checked */
    'integrity-mismatch'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a canonical link is empty or points to a page that is not canonical, or og:image is empty */
    'invalid-canonical'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page contains bytes that are invalid in its encoding */
    'invalid-encoding'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** hreflang links of pages and their translations are inconsistent */
    'invalid-hreflang'?: Level | {
      level?: Level | undefined;
      /** Whether pages must have an `x-default` for readers of all other languages. */
      'x-default'?: boolean | undefined;
    } | undefined;
    /** an ignore in a page lacks a rule or a reason, or is not allowed in pages */
    'invalid-ignore'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a mailto link has no address, or an invalid one */
    'invalid-mailto'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a meta refresh has a syntax that browsers ignore */
    'invalid-meta-refresh'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a srcset has invalid or duplicate descriptors */
    'invalid-srcset'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a symbolic link points out of the export, to a missing file, or to its own folder */
    'invalid-symlink'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a tel link has no number, or letters instead of digits */
    'invalid-tel'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a reference is not a valid URL */
    'invalid-url'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a <base href> comes after an element that loads a relative URL */
    'late-base'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the export contains a private file, a private key or an access token */
    'leaked-file'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a source map contains the text of a private file */
    'leaked-source'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a live site redirects an internal link more than once */
    'live-redirect-chain'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a reference points to the author's own machine or network */
    'local-address'?: Level | {
      /** Hosts that are intended, such as `localhost` in a manual. */
      except?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** an anchor that the site must keep no longer exists */
    'lost-anchor'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an address that the site must keep no longer exists, and no redirect replaces it */
    'lost-url'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an SVG or XML file, manifest, JSON-LD block or .well-known file is rejected by its readers */
    'malformed-file'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a script does not parse */
    'malformed-script'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** browsers move markup, close it early or ignore it, because it is misnested */
    'misnested-markup'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a module runs as a classic script */
    'misplaced-module'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an image has no alt text */
    'missing-alt'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page or style sheet loads a file that is not in the export */
    'missing-asset'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page is served at two URLs */
    'missing-canonical-redirect'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page does not declare its encoding */
    'missing-charset'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page has no description */
    'missing-description'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page has no doctype */
    'missing-doctype'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the site has no home page */
    'missing-home-page'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the server does not support HTTP/2 */
    'missing-http2'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the site does not redirect http to https */
    'missing-https-redirect'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page has no icon */
    'missing-icon'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a link points to a folder without index.html */
    'missing-index'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an external script or style sheet has no integrity attribute */
    'missing-integrity'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page has no language, or an unknown one */
    'missing-lang'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a file that a script may load later, or that is only preloaded, is not in the export */
    'missing-lazy-asset'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the host does not answer unknown paths with the not-found page of the site */
    'missing-not-found-page'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a script refers to a file that is not in the export, but may not need it */
    'missing-optional-import'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page that the contract names is not in the export */
    'missing-page'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a script or style sheet refers to a source map that is not in the export */
    'missing-source-map'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page has no title */
    'missing-title'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a reference has a misspelled scheme, not two slashes after it, or two URLs in one */
    'misspelled-scheme'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page loads a file by http, and browsers block it */
    'mixed-content'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an external link redirects permanently */
    'moved-external-link'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** no other page links to a page */
    'orphan-page'?: Level | {
      /** Pages that need no link. */
      except?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** the baseline lists a finding that no longer exists */
    'outdated-baseline'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page loads an image, video or audio file by http */
    'passive-mixed-content'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a placeholder host is left in the site */
    placeholder?: Level | {
      /** Hosts among them that are intended. */
      except?: string[] | undefined;
      /** Placeholder hosts, each with all its subdomains. */
      hosts?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a redirect points to another redirect */
    'redirect-chain'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an internal link is redirected */
    'redirect-hop'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a frame shows a page of a service that refuses to be framed */
    'refused-frame'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** browsers refuse a module, an import map, a worker or a service worker */
    'refused-script'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a preview image that social networks do not show: in SVG, too small or too large */
    'refused-social-image'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the not-found page contains a relative reference */
    'relative-link-in-404'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a relative URL where crawlers and readers need an absolute one */
    'relative-url'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** links open a page at an address where a relative reference of it is broken */
    'shifted-reference'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a sitemap lists a page that search engines do not index, or omits one that they do */
    'sitemap-mismatch'?: Level | {
      /** Whether the sitemaps must list every page that search engines may index. By default, if they list most. */
      complete?: boolean | undefined;
      /** Pages that need not be listed. */
      except?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a file, or a page with its files, exceeds its size budget */
    'size-budget'?: Level | {
      /** Maximum size of files, by path pattern. */
      budgets?: Record<string, number | {
        /** Maximum number of bytes compressed with gzip, as hosts send it. */
        gzip?: number | undefined;
        /** Maximum number of bytes as stored. */
        raw?: number | undefined;
      }> | undefined;
      level?: Level | undefined;
      /** Maximum size of pages with all files that they load, by path pattern. */
      pages?: Record<string, number | {
        /** Maximum number of bytes compressed with gzip, as hosts send it. */
        gzip?: number | undefined;
        /** Maximum number of bytes as stored. */
        raw?: number | undefined;
      }> | undefined;
    } | undefined;
    /** the server does not answer 404 for an unknown path */
    'soft-404'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the export contains a FIFO, socket or device */
    'special-file'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a reference points to a preview or staging server, or to an old host of the site */
    'staging-host'?: Level | {
      /** Hosts that are intended. */
      except?: string[] | undefined;
      /** Additional staging hosts; `*.` matches any subdomain. */
      hosts?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** the inventory of a part, or a list of addresses to keep, is missing or too old */
    'stale-part'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the Content-Security-Policy allows an element by a nonce that never changes */
    'static-nonce'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** links to a page have fragments that only a script can handle */
    'unchecked-anchor'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** references begin with / and leave the inferred base path, so they are not checked */
    'unchecked-reference'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a tag, comment or element is open longer than written, and hides what follows */
    'unclosed-markup'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the server sends text without compression */
    'uncompressed-text'?: Level | {
      level?: Level | undefined;
      /** Minimum number of bytes for text to be reported. */
      min?: number | undefined;
    } | undefined;
    /** a path contains a space that is not encoded as %20 */
    'unencoded-space'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a speculation rule has a URL or pattern that matches no page */
    'unmatched-speculation-rule'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a file's name cannot be published: control characters, `.sitegate/`, too long for a bucket */
    'unpublishable-name'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** nothing refers to a file */
    'unreferenced-file'?: Level | {
      /** Files that need no reference. */
      except?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a reference contains template syntax or a script value that was not replaced */
    'unrendered-reference'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** visitors read template syntax, or the text of a missing value */
    'unrendered-text'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a link opens an external site in a new window without noopener */
    'unsafe-target-blank'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a rule or a line of _headers has no effect, or two rules set Cache-Control */
    'unused-header'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an ignore matches no finding */
    'unused-ignore'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a redirect never applies, because a file or an earlier redirect answers its paths */
    'unused-redirect'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an external link could not be verified */
    'unverified-external-link'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an element's attribute does not match the contract */
    'wrong-attribute'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the server sends a file with the wrong Content-Type */
    'wrong-content-type'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page has too few or too many elements for the contract */
    'wrong-count'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a live response does not have the headers that the contract sets */
    'wrong-header'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** headings or clauses are not numbered 1, 2, 3 … in document order */
    'wrong-numbering'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** elements are not in the order that the contract lists */
    'wrong-order'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an element's text does not match the contract */
    'wrong-text'?: Level | {
      level?: Level | undefined;
    } | undefined;
  } | undefined;
  /** The export, and its deployment. */
  site?: {
    /** The URL path that the site is deployed under, such as /docs/. Default: inferred. */
    'base-path'?: string | undefined;
    /** Whether the host serves page.html for /page. Only for hosts that can do both. Default: inferred. */
    'clean-urls'?: boolean | undefined;
    /** The host that serves the site. It determines the answers to paths that are not file names. Default: inferred. */
    host?: 's3-website' | 'cloudfront' | 's3-rest' | 'github-pages' | 'gitlab-pages' | 'netlify' | 'cloudflare-pages' | 'vercel' | 'firebase' | 'azure-static-web-apps' | 'nginx' | 'apache' | 'caddy' | undefined;
    /** The host's configuration file outside of the export, relative to this file: vercel.json, netlify.toml, firebase.json or staticwebapp.config.json. Its redirects, rewrites, cleanUrls and trailingSlash are used. One in the export needs no key. */
    'host-config'?: string | undefined;
    /** The file that the host serves for unknown paths. Default: 404.html. */
    'not-found'?: string | undefined;
    /** Scheme, host and port of the live site. Absolute URLs with this origin are checked as local files. Default: inferred. */
    origin?: Setting | undefined;
    /** The folder of the export, relative to this file. */
    root?: string | undefined;
    /** Whether the host redirects /dir to /dir/ (`redirect`), or /dir/ to /dir (`never`). Default: inferred. */
    'trailing-slash'?: 'redirect' | 'never' | undefined;
  } | undefined;
  /** Authored files: findings are shown at their lines. */
  source?: {
    /** Globs of authored files, relative to this file, such as docs/**. */
    include?: string[] | undefined;
    /** URL of a line in an authored file, with {file} and {line}, for reports with links. */
    link?: string | undefined;
  } | undefined;
}

export type Level = 'error' | 'warn' | 'off';

export type Pages = string | Paths;

export type Paths = string[];

export type Rule = 'bare-import' | 'broken-anchor' | 'broken-form' | 'broken-import' | 'broken-link' | 'broken-redirect' | 'broken-text-fragment' | 'broken-usemap' | 'empty-reference' | 'invalid-mailto' | 'invalid-meta-refresh' | 'invalid-tel' | 'invalid-url' | 'missing-asset' | 'missing-index' | 'missing-lazy-asset' | 'missing-optional-import' | 'misspelled-scheme' | 'relative-link-in-404' | 'unchecked-anchor' | 'unchecked-reference' | 'unmatched-speculation-rule' | 'unrendered-reference' | 'inconsistent-value' | 'missing-page' | 'wrong-attribute' | 'wrong-count' | 'wrong-numbering' | 'wrong-order' | 'wrong-text' | 'colliding-name' | 'damaged-file' | 'empty-asset' | 'empty-export' | 'invalid-symlink' | 'malformed-file' | 'malformed-script' | 'missing-home-page' | 'missing-source-map' | 'orphan-page' | 'special-file' | 'unpublishable-name' | 'unreferenced-file' | 'cached-fallback' | 'dropped-file' | 'missing-not-found-page' | 'redirect-chain' | 'redirect-hop' | 'shifted-reference' | 'unused-header' | 'unused-redirect' | 'broken-hydration' | 'broken-idref' | 'duplicate-id' | 'empty-page' | 'ignored-value' | 'ineffective-import' | 'ineffective-preload' | 'invalid-encoding' | 'invalid-srcset' | 'late-base' | 'misnested-markup' | 'misplaced-module' | 'missing-alt' | 'missing-doctype' | 'refused-frame' | 'refused-script' | 'unclosed-markup' | 'unrendered-text' | 'blocked-asset' | 'duplicate-title' | 'foreign-sitemap-url' | 'hidden-site' | 'ineffective-robots' | 'invalid-canonical' | 'invalid-hreflang' | 'missing-charset' | 'missing-description' | 'missing-icon' | 'missing-lang' | 'missing-title' | 'refused-social-image' | 'relative-url' | 'sitemap-mismatch' | 'backslash-in-path' | 'duplicate-url' | 'encoded-slash' | 'insecure-link' | 'unencoded-space' | 'blocked-by-csp' | 'ineffective-policy' | 'integrity-mismatch' | 'leaked-file' | 'leaked-source' | 'missing-integrity' | 'mixed-content' | 'passive-mixed-content' | 'static-nonce' | 'unsafe-target-blank' | 'broken-external-anchor' | 'broken-external-link' | 'moved-external-link' | 'unverified-external-link' | 'expiring-certificate' | 'live-redirect-chain' | 'missing-canonical-redirect' | 'missing-http2' | 'missing-https-redirect' | 'soft-404' | 'uncompressed-text' | 'wrong-content-type' | 'wrong-header' | 'breaks-part' | 'content-hash-mismatch' | 'forbidden-host' | 'forbidden-text' | 'invalid-ignore' | 'local-address' | 'lost-anchor' | 'lost-url' | 'outdated-baseline' | 'placeholder' | 'size-budget' | 'staging-host' | 'stale-part' | 'unused-ignore';

/** A value, written here or taken from another file. */
export type Setting = string | {
  /** An environment variable that overrides the string. */
  env?: string | undefined;
  /** A JSON file, relative to this file. */
  file: string;
  /** A JSON Pointer to a string in the file. */
  pointer: string;
};

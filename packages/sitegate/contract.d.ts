/** The contract of a site: the settings of `sitegate.toml`. Generated from the schema: `npm run package -- --types`. */
/* oxlint-disable max-lines */

/** What must hold before a static site goes live. */
export interface Contract {
  /** What must be found on which pages. */
  assert?: Array<{
    /** What each match's attributes must be: a value, true (present) or false (absent). */
    attributes?: Record<string, boolean | Setting> | undefined;
    /** A part of each match's text. */
    contains?: string | undefined;
    /** How many matches there must be on each page. */
    count?: number | undefined;
    /** The end of each match's text. */
    'ends-with'?: string | undefined;
    /** Which of them are left out. */
    except?: Pages | undefined;
    /** What to do about it, shown with the finding. */
    help?: string | undefined;
    /** A regular expression that is found in each match's text. */
    matches?: string | undefined;
    /** How many matches there may be at the most. */
    max?: number | undefined;
    /** How many matches there must be at the least; 1 by default. */
    min?: number | undefined;
    /** Its name in findings. */
    name?: string | undefined;
    /** Whether the texts begin with 1, 2, 3 … in document order. */
    numbered?: boolean | undefined;
    /** Which pages, by path, glob or @group. */
    pages: Pages;
    /** Attributes that must be the same in every match on every page. */
    same?: string[] | undefined;
    /** A CSS selector. */
    select: string;
    /** The start of each match's text. */
    'starts-with'?: string | undefined;
    /** The whole text of each match. */
    text?: string | undefined;
    /** The texts of all matches, in document order. */
    texts?: string[] | undefined;
    /** Tokens that each match's attributes must hold. */
    tokens?: Record<string, string[]> | undefined;
    /** The values of an attribute over all matches, in document order. */
    values?: Record<string, string[]> | undefined;
  }> | undefined;
  /** How a check is run. */
  check?: {
    /** A file of known findings, of which only new ones fail; it is part of what a seal stands for. */
    baseline?: string | undefined;
    /** Rules of the contract and of security that pages may excuse themselves from, by a comment or an attribute. */
    'inline-ignores'?: Array<'bare-import' | 'broken-anchor' | 'broken-import' | 'broken-link' | 'broken-redirect' | 'broken-text-fragment' | 'broken-usemap' | 'empty-reference' | 'invalid-mailto' | 'invalid-meta-refresh' | 'invalid-tel' | 'invalid-url' | 'missing-asset' | 'missing-index' | 'missing-lazy-asset' | 'missing-optional-import' | 'misspelled-scheme' | 'relative-link-in-404' | 'unmatched-speculation-rule' | 'unrendered-reference' | 'inconsistent-value' | 'missing-page' | 'wrong-attribute' | 'wrong-count' | 'wrong-numbering' | 'wrong-order' | 'wrong-text' | 'damaged-file' | 'empty-export' | 'invalid-symlink' | 'malformed-file' | 'malformed-script' | 'missing-home-page' | 'missing-source-map' | 'orphan-page' | 'special-file' | 'unpublishable-name' | 'unreferenced-file' | 'redirect-chain' | 'redirect-hop' | 'broken-idref' | 'duplicate-id' | 'empty-page' | 'invalid-encoding' | 'invalid-srcset' | 'misplaced-module' | 'missing-alt' | 'missing-doctype' | 'unclosed-markup' | 'duplicate-title' | 'foreign-sitemap-url' | 'invalid-canonical' | 'invalid-hreflang' | 'missing-charset' | 'missing-description' | 'missing-icon' | 'missing-lang' | 'missing-title' | 'sitemap-mismatch' | 'backslash-in-path' | 'duplicate-url' | 'encoded-slash' | 'insecure-link' | 'unencoded-space' | 'integrity-mismatch' | 'missing-integrity' | 'mixed-content' | 'passive-mixed-content' | 'unsafe-target-blank' | 'broken-external-anchor' | 'broken-external-link' | 'moved-external-link' | 'unverified-external-link' | 'expiring-certificate' | 'live-redirect-chain' | 'missing-canonical-redirect' | 'missing-http2' | 'missing-https-redirect' | 'soft-404' | 'uncompressed-text' | 'wrong-content-type' | 'wrong-header' | 'content-hash-mismatch' | 'forbidden-host' | 'forbidden-text' | 'invalid-ignore' | 'local-address' | 'lost-url' | 'outdated-baseline' | 'placeholder' | 'size-budget' | 'staging-host' | 'unused-ignore'> | undefined;
  } | undefined;
  /** A shared base, or several: tables merge, lists of tables are joined, and the nearer file wins. */
  extends?: string | string[] | undefined;
  /** How other hosts are asked, with --external. */
  external?: {
    /** Networks that may be asked although they are not public, such as 10.0.0.0/8. */
    'allow-addresses'?: string[] | undefined;
    /** The file that answers are kept in, so that CI can carry it; without it, one in the user's cache folder. */
    cache?: string | undefined;
    /** A file of certificates, in PEM, of authorities that are trusted beside those of the system. */
    certificates?: string | undefined;
    /** Requests at once, to all hosts together; 128 where nothing is said. */
    concurrency?: number | undefined;
    /** How every host is asked that is not named. */
    host?: {
      /** Statuses that mean that an address is there, such as 403. */
      accept?: number[] | undefined;
      /** Requests at once; 6 where nothing is said. */
      concurrency?: number | undefined;
      /** Whether it is asked by GET at once, and never by HEAD. */
      get?: boolean | undefined;
      /** Headers that are sent to it and to no other; secrets come from a variable. */
      headers?: Record<string, string | {
        env: string;
      }> | undefined;
      /** Seconds from the start of one request to the start of the next; 0.05 where nothing is said. */
      interval?: number | undefined;
      /** Whether what is known of well-known hosts counts; true where nothing is said. */
      profile?: boolean | undefined;
    } | undefined;
    /** How single hosts are asked, by name. */
    hosts?: Record<string, {
      /** Statuses that mean that an address is there, such as 403. */
      accept?: number[] | undefined;
      /** Requests at once; 6 where nothing is said. */
      concurrency?: number | undefined;
      /** Whether it is asked by GET at once, and never by HEAD. */
      get?: boolean | undefined;
      /** Headers that are sent to it and to no other; secrets come from a variable. */
      headers?: Record<string, string | {
        env: string;
      }> | undefined;
      /** Seconds from the start of one request to the start of the next; 0.05 where nothing is said. */
      interval?: number | undefined;
      /** Whether what is known of well-known hosts counts; true where nothing is said. */
      profile?: boolean | undefined;
    }> | undefined;
    /** How often a request is sent again that may pass the next time; 2 where nothing is said. */
    retries?: number | undefined;
    /** Addresses that are not asked, by globs such as https://www.example.org/**. */
    skip?: string[] | undefined;
    /** Seconds that the first byte of an answer may take; 20 where nothing is said. */
    timeout?: number | undefined;
  } | undefined;
  /** Response headers by path; later entries win. */
  headers?: Array<{
    /** Files, by path or glob. */
    paths: Paths;
    /** Names and values. */
    set: Record<string, string>;
  }> | undefined;
  /** Findings that are not reported. */
  ignore?: Array<{
    /** Files or pages, by path or glob. */
    paths?: Paths | undefined;
    /** Why; it must be there. */
    reason: string;
    /** The rule's id. */
    rule?: 'bare-import' | 'broken-anchor' | 'broken-import' | 'broken-link' | 'broken-redirect' | 'broken-text-fragment' | 'broken-usemap' | 'empty-reference' | 'invalid-mailto' | 'invalid-meta-refresh' | 'invalid-tel' | 'invalid-url' | 'missing-asset' | 'missing-index' | 'missing-lazy-asset' | 'missing-optional-import' | 'misspelled-scheme' | 'relative-link-in-404' | 'unmatched-speculation-rule' | 'unrendered-reference' | 'inconsistent-value' | 'missing-page' | 'wrong-attribute' | 'wrong-count' | 'wrong-numbering' | 'wrong-order' | 'wrong-text' | 'damaged-file' | 'empty-export' | 'invalid-symlink' | 'malformed-file' | 'malformed-script' | 'missing-home-page' | 'missing-source-map' | 'orphan-page' | 'special-file' | 'unpublishable-name' | 'unreferenced-file' | 'redirect-chain' | 'redirect-hop' | 'broken-idref' | 'duplicate-id' | 'empty-page' | 'invalid-encoding' | 'invalid-srcset' | 'misplaced-module' | 'missing-alt' | 'missing-doctype' | 'unclosed-markup' | 'duplicate-title' | 'foreign-sitemap-url' | 'invalid-canonical' | 'invalid-hreflang' | 'missing-charset' | 'missing-description' | 'missing-icon' | 'missing-lang' | 'missing-title' | 'sitemap-mismatch' | 'backslash-in-path' | 'duplicate-url' | 'encoded-slash' | 'insecure-link' | 'unencoded-space' | 'integrity-mismatch' | 'missing-integrity' | 'mixed-content' | 'passive-mixed-content' | 'unsafe-target-blank' | 'broken-external-anchor' | 'broken-external-link' | 'moved-external-link' | 'unverified-external-link' | 'expiring-certificate' | 'live-redirect-chain' | 'missing-canonical-redirect' | 'missing-http2' | 'missing-https-redirect' | 'soft-404' | 'uncompressed-text' | 'wrong-content-type' | 'wrong-header' | 'content-hash-mismatch' | 'forbidden-host' | 'forbidden-text' | 'invalid-ignore' | 'local-address' | 'lost-url' | 'outdated-baseline' | 'placeholder' | 'size-budget' | 'staging-host' | 'unused-ignore' | undefined;
    /** A regular expression, found in the reference as written or in the URL it means. */
    url?: string | undefined;
  }> | undefined;
  /** Levels by path; later entries win. */
  override?: Array<{
    /** Files or pages, by path or glob. */
    paths: Paths;
    /** The levels there. */
    rules: {
      /** a path is written with `\` in place of `/` */
      'backslash-in-path'?: Level | undefined;
      /** a script imports a name that browsers cannot resolve */
      'bare-import'?: Level | undefined;
      /** a fragment names no element of the page it leads to */
      'broken-anchor'?: Level | undefined;
      /** a page elsewhere has no such place */
      'broken-external-anchor'?: Level | undefined;
      /** another host says that an address is not there */
      'broken-external-link'?: Level | undefined;
      /** an attribute names the id of an element that the page does not have */
      'broken-idref'?: Level | undefined;
      /** a script loads a module, chunk, worker, style sheet or file that is not in the export */
      'broken-import'?: Level | undefined;
      /** a link leads to a page or file that is not in the export */
      'broken-link'?: Level | undefined;
      /** a redirect leads nowhere, in a circle, or is malformed */
      'broken-redirect'?: Level | undefined;
      /** a text fragment quotes words that the page it leads to does not have */
      'broken-text-fragment'?: Level | undefined;
      /** usemap names no <map> of the page */
      'broken-usemap'?: Level | undefined;
      /** the hash in a file's name is not that of its content */
      'content-hash-mismatch'?: Level | undefined;
      /** a file is not what its name says: empty, cut off, an error page, a Git LFS pointer */
      'damaged-file'?: Level | undefined;
      /** two elements of a page have the same id */
      'duplicate-id'?: Level | undefined;
      /** several pages have the same title */
      'duplicate-title'?: Level | undefined;
      /** a page is linked both with and without index.html */
      'duplicate-url'?: Level | undefined;
      /** the export has no page */
      'empty-export'?: Level | undefined;
      /** a page is empty */
      'empty-page'?: Level | undefined;
      /** an element that must load something has an empty or no address */
      'empty-reference'?: Level | undefined;
      /** a path holds %2F in place of a slash */
      'encoded-slash'?: Level | undefined;
      /** the certificate of a live site ends soon */
      'expiring-certificate'?: Level | undefined;
      /** a reference leads to a forbidden host */
      'forbidden-host'?: Level | undefined;
      /** a page holds forbidden text */
      'forbidden-text'?: Level | undefined;
      /** a sitemap lists pages of another host */
      'foreign-sitemap-url'?: Level | undefined;
      /** an attribute that must be the same everywhere differs */
      'inconsistent-value'?: Level | undefined;
      /** a link uses http: where https: may work */
      'insecure-link'?: Level | undefined;
      /** an integrity attribute does not match the file */
      'integrity-mismatch'?: Level | undefined;
      /** a page names an original that is not an original itself */
      'invalid-canonical'?: Level | undefined;
      /** a page holds bytes that are invalid in its encoding */
      'invalid-encoding'?: Level | undefined;
      /** the translations that pages name do not match */
      'invalid-hreflang'?: Level | undefined;
      /** an exception in a page names no rule, no reason, or a rule that pages cannot excuse */
      'invalid-ignore'?: Level | undefined;
      /** a mailto link has no address, or an invalid one */
      'invalid-mailto'?: Level | undefined;
      /** a meta refresh is written so that browsers ignore it */
      'invalid-meta-refresh'?: Level | undefined;
      /** a srcset has descriptors that browsers do not understand */
      'invalid-srcset'?: Level | undefined;
      /** a symbolic link leads out of the export, to nothing, or round in a circle */
      'invalid-symlink'?: Level | undefined;
      /** a tel link has no number, or letters where digits belong */
      'invalid-tel'?: Level | undefined;
      /** a reference is not a valid URL */
      'invalid-url'?: Level | undefined;
      /** a link inside a live site is redirected more than once */
      'live-redirect-chain'?: Level | undefined;
      /** a reference leads to the author's own machine or network */
      'local-address'?: Level | undefined;
      /** a page of the last release is gone, and nothing redirects */
      'lost-url'?: Level | undefined;
      /** an SVG or XML file, manifest or JSON-LD block does not parse */
      'malformed-file'?: Level | undefined;
      /** a script does not parse */
      'malformed-script'?: Level | undefined;
      /** a module is run as a classic script */
      'misplaced-module'?: Level | undefined;
      /** a picture has no alt text */
      'missing-alt'?: Level | undefined;
      /** a page or style sheet loads a file that is not in the export */
      'missing-asset'?: Level | undefined;
      /** a page answers at two addresses */
      'missing-canonical-redirect'?: Level | undefined;
      /** a page does not declare its encoding */
      'missing-charset'?: Level | undefined;
      /** a page has no description */
      'missing-description'?: Level | undefined;
      /** a page has no doctype */
      'missing-doctype'?: Level | undefined;
      /** nothing answers at the site's own address */
      'missing-home-page'?: Level | undefined;
      /** a server speaks no HTTP/2 */
      'missing-http2'?: Level | undefined;
      /** a site answers by http without leading to https */
      'missing-https-redirect'?: Level | undefined;
      /** a page has no icon */
      'missing-icon'?: Level | undefined;
      /** a link leads to a directory that has no index.html */
      'missing-index'?: Level | undefined;
      /** a script or style sheet of another site has no integrity attribute */
      'missing-integrity'?: Level | undefined;
      /** a page does not name its language */
      'missing-lang'?: Level | undefined;
      /** a script may load a file later that is not in the export */
      'missing-lazy-asset'?: Level | undefined;
      /** a script names a file that is not in the export, and may do without it */
      'missing-optional-import'?: Level | undefined;
      /** a page that the contract names is not in the export */
      'missing-page'?: Level | undefined;
      /** a script or style sheet names a source map that is not in the export */
      'missing-source-map'?: Level | undefined;
      /** a page has no title */
      'missing-title'?: Level | undefined;
      /** a reference begins with a scheme that is misspelt, or has not two slashes after it */
      'misspelled-scheme'?: Level | undefined;
      /** a page loads by http: what browsers then block */
      'mixed-content'?: Level | undefined;
      /** another host says that an address has moved for good */
      'moved-external-link'?: Level | undefined;
      /** nothing links to a page */
      'orphan-page'?: Level | undefined;
      /** the baseline lists a finding that is fixed */
      'outdated-baseline'?: Level | undefined;
      /** a page loads a picture, sound or film by http: */
      'passive-mixed-content'?: Level | undefined;
      /** a placeholder address is left in the site */
      placeholder?: Level | undefined;
      /** a redirect leads to another redirect */
      'redirect-chain'?: Level | undefined;
      /** a link inside the site costs a redirect */
      'redirect-hop'?: Level | undefined;
      /** the not-found page refers to something by a relative path */
      'relative-link-in-404'?: Level | undefined;
      /** a sitemap lists a page that search engines should not show */
      'sitemap-mismatch'?: Level | undefined;
      /** a file, or a page with all it loads, is larger than its budget */
      'size-budget'?: Level | undefined;
      /** an unknown path is not answered with 404 */
      'soft-404'?: Level | undefined;
      /** the export holds a FIFO, socket or device */
      'special-file'?: Level | undefined;
      /** a reference leads to a preview or a staging server */
      'staging-host'?: Level | undefined;
      /** a page ends inside a tag, a comment, a script, a style or the like */
      'unclosed-markup'?: Level | undefined;
      /** a server sends text as it is, without compressing it */
      'uncompressed-text'?: Level | undefined;
      /** a path holds a space that is not written as %20 */
      'unencoded-space'?: Level | undefined;
      /** a speculation rule names an address or a pattern that no page has */
      'unmatched-speculation-rule'?: Level | undefined;
      /** a file's name keeps it from being published: control characters, `.sitegate/`, too long for a bucket */
      'unpublishable-name'?: Level | undefined;
      /** nothing refers to a file */
      'unreferenced-file'?: Level | undefined;
      /** a reference holds what a template or a script should have replaced */
      'unrendered-reference'?: Level | undefined;
      /** a link opens another site in a new window without noopener */
      'unsafe-target-blank'?: Level | undefined;
      /** an exception matches nothing any more */
      'unused-ignore'?: Level | undefined;
      /** whether an address elsewhere is there cannot be told */
      'unverified-external-link'?: Level | undefined;
      /** an element's attribute is not what the contract says */
      'wrong-attribute'?: Level | undefined;
      /** a live answer says that it is something else than its address says */
      'wrong-content-type'?: Level | undefined;
      /** a page holds too few or too many of what the contract counts */
      'wrong-count'?: Level | undefined;
      /** a live answer does not have the headers that the contract sets */
      'wrong-header'?: Level | undefined;
      /** headings or clauses are not numbered 1, 2, 3 … in the order they stand */
      'wrong-numbering'?: Level | undefined;
      /** elements do not stand in the order that the contract lists */
      'wrong-order'?: Level | undefined;
      /** an element's text is not what the contract says */
      'wrong-text'?: Level | undefined;
    };
  }> | undefined;
  /** Which pages must be there, and names for lists of them. */
  pages?: {
    /** Names for lists of pages, used as @name. */
    groups?: Record<string, string[]> | undefined;
    /** Pages that must be in the export. */
    required?: Paths | undefined;
  } | undefined;
  /** Addresses that moved. */
  redirects?: Array<{
    /** The old path, such as /old. */
    from: string;
    /** The new path, or a URL. */
    to: string;
  }> | undefined;
  /** How much each rule weighs, and its options. */
  rules?: {
    /** a path is written with `\` in place of `/` */
    'backslash-in-path'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a script imports a name that browsers cannot resolve */
    'bare-import'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a fragment names no element of the page it leads to */
    'broken-anchor'?: Level | {
      /** Fragments, decoded and without `#`, that are not looked up. */
      ignore?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a page elsewhere has no such place */
    'broken-external-anchor'?: Level | {
      /** Fragments, as URLs write them and without `#`, that are not looked up. */
      ignore?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** another host says that an address is not there */
    'broken-external-link'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an attribute names the id of an element that the page does not have */
    'broken-idref'?: Level | {
      level?: Level | undefined;
      /** Whether attributes count whose elements scripts often add: aria-controls, aria-describedby and others. */
      scripted?: boolean | undefined;
    } | undefined;
    /** a script loads a module, chunk, worker, style sheet or file that is not in the export */
    'broken-import'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a link leads to a page or file that is not in the export */
    'broken-link'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a redirect leads nowhere, in a circle, or is malformed */
    'broken-redirect'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a text fragment quotes words that the page it leads to does not have */
    'broken-text-fragment'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** usemap names no <map> of the page */
    'broken-usemap'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the hash in a file's name is not that of its content */
    'content-hash-mismatch'?: Level | {
      /** What the hash is made with, in hexadecimal. */
      algorithm?: 'md5' | 'sha256' | 'sha384' | 'sha512' | undefined;
      /** The files whose names hold a hash. */
      files?: string[] | undefined;
      level?: Level | undefined;
      /** A regular expression whose group `hash` finds the hash in the name. */
      pattern?: string | undefined;
    } | undefined;
    /** a file is not what its name says: empty, cut off, an error page, a Git LFS pointer */
    'damaged-file'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** two elements of a page have the same id */
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
    /** the export has no page */
    'empty-export'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page is empty */
    'empty-page'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an element that must load something has an empty or no address */
    'empty-reference'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a path holds %2F in place of a slash */
    'encoded-slash'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the certificate of a live site ends soon */
    'expiring-certificate'?: Level | {
      /** Days before its end from which on it counts. */
      days?: number | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a reference leads to a forbidden host */
    'forbidden-host'?: Level | {
      /** Hosts that nothing may lead to; `*.` stands for any subdomain. */
      hosts?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a page holds forbidden text */
    'forbidden-text'?: Level | {
      level?: Level | undefined;
      /** Regular expressions. */
      patterns?: string[] | undefined;
      /** Words, taken literally and in any case. */
      texts?: string[] | undefined;
    } | undefined;
    /** a sitemap lists pages of another host */
    'foreign-sitemap-url'?: Level | {
      /** Other hosts that the sitemaps may list; `*.` stands for any subdomain. */
      hosts?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** an attribute that must be the same everywhere differs */
    'inconsistent-value'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a link uses http: where https: may work */
    'insecure-link'?: Level | {
      /** Hosts that do not answer by https; `*.` stands for any subdomain. */
      except?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** an integrity attribute does not match the file */
    'integrity-mismatch'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page names an original that is not an original itself */
    'invalid-canonical'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page holds bytes that are invalid in its encoding */
    'invalid-encoding'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the translations that pages name do not match */
    'invalid-hreflang'?: Level | {
      level?: Level | undefined;
      /** Whether pages must say by `x-default` what readers of all other languages get. */
      'x-default'?: boolean | undefined;
    } | undefined;
    /** an exception in a page names no rule, no reason, or a rule that pages cannot excuse */
    'invalid-ignore'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a mailto link has no address, or an invalid one */
    'invalid-mailto'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a meta refresh is written so that browsers ignore it */
    'invalid-meta-refresh'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a srcset has descriptors that browsers do not understand */
    'invalid-srcset'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a symbolic link leads out of the export, to nothing, or round in a circle */
    'invalid-symlink'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a tel link has no number, or letters where digits belong */
    'invalid-tel'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a reference is not a valid URL */
    'invalid-url'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a link inside a live site is redirected more than once */
    'live-redirect-chain'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a reference leads to the author's own machine or network */
    'local-address'?: Level | {
      /** Hosts that are meant, such as `localhost` in a manual. */
      except?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a page of the last release is gone, and nothing redirects */
    'lost-url'?: Level | {
      /** Files that may go. */
      except?: string[] | undefined;
      /** Files besides pages that must stay. */
      files?: string[] | undefined;
      level?: Level | undefined;
      /** The seal of the last release, relative to the contract. */
      manifest?: string | null | undefined;
    } | undefined;
    /** an SVG or XML file, manifest or JSON-LD block does not parse */
    'malformed-file'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a script does not parse */
    'malformed-script'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a module is run as a classic script */
    'misplaced-module'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a picture has no alt text */
    'missing-alt'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page or style sheet loads a file that is not in the export */
    'missing-asset'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page answers at two addresses */
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
    /** nothing answers at the site's own address */
    'missing-home-page'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a server speaks no HTTP/2 */
    'missing-http2'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a site answers by http without leading to https */
    'missing-https-redirect'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page has no icon */
    'missing-icon'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a link leads to a directory that has no index.html */
    'missing-index'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a script or style sheet of another site has no integrity attribute */
    'missing-integrity'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page does not name its language */
    'missing-lang'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a script may load a file later that is not in the export */
    'missing-lazy-asset'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a script names a file that is not in the export, and may do without it */
    'missing-optional-import'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page that the contract names is not in the export */
    'missing-page'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a script or style sheet names a source map that is not in the export */
    'missing-source-map'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page has no title */
    'missing-title'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a reference begins with a scheme that is misspelt, or has not two slashes after it */
    'misspelled-scheme'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page loads by http: what browsers then block */
    'mixed-content'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** another host says that an address has moved for good */
    'moved-external-link'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** nothing links to a page */
    'orphan-page'?: Level | {
      /** Pages that may stand alone. */
      except?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** the baseline lists a finding that is fixed */
    'outdated-baseline'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page loads a picture, sound or film by http: */
    'passive-mixed-content'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a placeholder address is left in the site */
    placeholder?: Level | {
      /** Hosts among them that are meant. */
      except?: string[] | undefined;
      /** Hosts that stand in for real ones, each with all its subdomains. */
      hosts?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a redirect leads to another redirect */
    'redirect-chain'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a link inside the site costs a redirect */
    'redirect-hop'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the not-found page refers to something by a relative path */
    'relative-link-in-404'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a sitemap lists a page that search engines should not show */
    'sitemap-mismatch'?: Level | {
      /** Whether every page must be listed that search engines may show. */
      complete?: boolean | undefined;
      /** Pages that need not be listed. */
      except?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a file, or a page with all it loads, is larger than its budget */
    'size-budget'?: Level | {
      /** What files may weigh, by patterns of their paths. */
      budgets?: Record<string, number | {
        /** By gzip, as hosts send it. */
        gzip?: number | null | undefined;
        /** As it is stored. */
        raw?: number | null | undefined;
      }> | undefined;
      level?: Level | undefined;
      /** What pages may weigh together with all that they load, by patterns of their paths. */
      pages?: Record<string, number | {
        /** By gzip, as hosts send it. */
        gzip?: number | null | undefined;
        /** As it is stored. */
        raw?: number | null | undefined;
      }> | undefined;
    } | undefined;
    /** an unknown path is not answered with 404 */
    'soft-404'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** the export holds a FIFO, socket or device */
    'special-file'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a reference leads to a preview or a staging server */
    'staging-host'?: Level | {
      /** Hosts that are meant. */
      except?: string[] | undefined;
      /** Staging servers of your own; `*.` stands for any subdomain. */
      hosts?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a page ends inside a tag, a comment, a script, a style or the like */
    'unclosed-markup'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a server sends text as it is, without compressing it */
    'uncompressed-text'?: Level | {
      level?: Level | undefined;
      /** Bytes from which on text is worth it. */
      min?: number | undefined;
    } | undefined;
    /** a path holds a space that is not written as %20 */
    'unencoded-space'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a speculation rule names an address or a pattern that no page has */
    'unmatched-speculation-rule'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a file's name keeps it from being published: control characters, `.sitegate/`, too long for a bucket */
    'unpublishable-name'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** nothing refers to a file */
    'unreferenced-file'?: Level | {
      /** Files that may stand alone. */
      except?: string[] | undefined;
      level?: Level | undefined;
    } | undefined;
    /** a reference holds what a template or a script should have replaced */
    'unrendered-reference'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a link opens another site in a new window without noopener */
    'unsafe-target-blank'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an exception matches nothing any more */
    'unused-ignore'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** whether an address elsewhere is there cannot be told */
    'unverified-external-link'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an element's attribute is not what the contract says */
    'wrong-attribute'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a live answer says that it is something else than its address says */
    'wrong-content-type'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a page holds too few or too many of what the contract counts */
    'wrong-count'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** a live answer does not have the headers that the contract sets */
    'wrong-header'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** headings or clauses are not numbered 1, 2, 3 … in the order they stand */
    'wrong-numbering'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** elements do not stand in the order that the contract lists */
    'wrong-order'?: Level | {
      level?: Level | undefined;
    } | undefined;
    /** an element's text is not what the contract says */
    'wrong-text'?: Level | {
      level?: Level | undefined;
    } | undefined;
  } | undefined;
  /** What the export is and where it will live. */
  site?: {
    /** The path the export is deployed under. */
    'base-path'?: string | undefined;
    /** Whether /page is answered with page.html, where the host can do either. */
    'clean-urls'?: boolean | undefined;
    /** Which host the site is for: it decides what paths without a file of their own answer. */
    host?: 's3-website' | 'cloudfront' | 's3-rest' | 'github-pages' | 'gitlab-pages' | 'netlify' | 'cloudflare-pages' | 'vercel' | 'firebase' | 'azure-static-web-apps' | 'nginx' | 'apache' | 'caddy' | undefined;
    /** The file that answers unknown paths. */
    'not-found'?: string | undefined;
    /** Scheme, host and port of the live site: its absolute URLs are then checked as local files. */
    origin?: Setting | undefined;
    /** The export's folder, relative to this file. */
    root?: string | undefined;
    /** Whether /dir is redirected to /dir/, or /dir/ to /dir. */
    'trailing-slash'?: 'redirect' | 'never' | undefined;
  } | undefined;
  /** The files that people edit: findings are shown at their lines. */
  source?: {
    /** Globs of files, relative to this one, such as docs/**. */
    include?: string[] | undefined;
    /** Where people look at a line of them, with {file} and {line}, for reports that have links. */
    link?: string | undefined;
  } | undefined;
}

export type Level = 'error' | 'warn' | 'off';

export type Pages = string | Paths;

export type Paths = string[];

export type Setting = string | {
  /** An environment variable that overrides it. */
  env?: string | undefined;
  /** A JSON file, relative to this one. */
  file: string;
  /** A JSON Pointer to a string in it. */
  pointer: string;
};

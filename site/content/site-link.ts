// The shape of a link.

/** A link inside the site. */
export interface SiteLink {
  readonly label: string;
  readonly href: string;
}

// Shared by all pages.
import { Link, withPrefix } from 'gatsby';

export const Frame = ({ children }) => (
  <>
    <nav>
      <Link to="/">Home</Link> <Link to="/second/">Second</Link>
    </nav>
    <main>{children}</main>
  </>
);

export const Title = ({ title, description }) => (
  <>
    <html lang="en" />
    <title>{title}</title>
    <meta name="description" content={description} />
    <link rel="icon" href={withPrefix('/icon.svg')} />
  </>
);

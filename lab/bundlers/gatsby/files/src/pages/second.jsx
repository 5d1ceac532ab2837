// The second page: data from build time, a counter, and a module that a click imports.
import { graphql } from 'gatsby';
import { Counter } from '../components/counter';
import { Frame, Title } from '../components/frame';
import { Tides } from '../components/tide-table';

export const Head = () => <Title title="Second | Harbour" description="The second page of the harbour." />;

export const query = graphql`
  {
    site {
      siteMetadata {
        title
      }
    }
  }
`;

export default function Second({ data }) {
  return (
    <Frame>
      <h1>The second page</h1>
      <p>Welcome to the {data.site.siteMetadata.title}</p>
      <Counter start={10} />
      <Tides />
    </Frame>
  );
}

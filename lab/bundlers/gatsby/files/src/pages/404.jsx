// The page for unknown paths.
import { Frame, Title } from '../components/frame';

export const Head = () => <Title title="Not found | Harbour" description="There is no such page." />;

export default function NotFound() {
  return (
    <Frame>
      <h1>There is no such page</h1>
    </Frame>
  );
}

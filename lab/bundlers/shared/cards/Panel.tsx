// A lazy panel with an image.
import { Card } from './Card';
import photo from './photo.svg';

export const Panel = () => <Card title="Panel"><img src={photo} alt="a field" /></Card>;

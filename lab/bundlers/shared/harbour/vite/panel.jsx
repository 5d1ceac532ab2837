// The lazy panel, with its own style sheet and image.
import styles from './panel.module.css';
import photo from './photo.png';
import { plural } from './plural.js';

export default function Panel() {
  return (
    <figure className={styles.panel}>
      <img src={photo} alt="Noise" width="64" height="64" />
      <figcaption>The panel has {plural(2, 'crane')}</figcaption>
    </figure>
  );
}

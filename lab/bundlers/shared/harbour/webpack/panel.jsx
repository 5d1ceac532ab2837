// The lazy panel, with its own style sheet and image.
import Image from 'next/image';
import { plural } from '../lib/plural';
import styles from './panel.module.css';
import photo from './photo.png';

export default function Panel() {
  return (
    <figure className={styles.panel}>
      <Image src={photo} alt="Noise" />
      <figcaption>The panel has {plural(2, 'crane')}</figcaption>
    </figure>
  );
}

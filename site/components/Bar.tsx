// A horizontal bar in SVG, because the content security policy forbids inline styles.
import example from './example.module.css';

/** `share` is the filled part in per cent. */
export function Bar({ share, pen = false }: { readonly share: number; readonly pen?: boolean }) {
  return (
    <svg className={example.track} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect className={example.room} width="100" height="1" />
      <rect className={pen ? example.penFill : example.fill} width={share} height="1" />
    </svg>
  );
}

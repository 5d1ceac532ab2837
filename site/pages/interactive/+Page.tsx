// The interactive pages, which React Router selects when they are exported.

// The first import, because it sets the order of the layers.
import '#styles/site.css';
import { Route, Routes, StaticRouter } from 'react-router-dom';
import { featurePages } from '#content/feature-pages.ts';
import { features, pathOf } from '#content/features.ts';
import { FeatureLayout } from '#layouts/FeatureLayout.tsx';
import { InteractiveLayout } from '#layouts/InteractiveLayout.tsx';
import { Home } from './Home.tsx';

/** Renders the page at a path. */
export function Page({ path }: { readonly path: string }) {
  return (
    <StaticRouter location={path}>
      <InteractiveLayout>
        <Routes>
          <Route path="/" element={<Home />} />
          {features.map((feature) => (
            <Route key={feature.slug} path={pathOf(feature)} element={<FeatureLayout feature={feature} page={featurePages[feature.slug]} />} />
          ))}
        </Routes>
      </InteractiveLayout>
    </StaticRouter>
  );
}

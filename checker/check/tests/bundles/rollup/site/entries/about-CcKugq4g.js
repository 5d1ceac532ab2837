import { l as line, b as button } from '../chunks/page-ADaEo_hM.js';

// The second page shares a module and a lazy panel with the first.

line('About, by script');
button('Panel', async () => (await import('../chunks/panel-CvtR4W_P.js')).open());
button('Lonely', async () => (await import('../chunks/lonely-CfJu_VpZ.js')).say());
//# sourceMappingURL=about-CcKugq4g.js.map

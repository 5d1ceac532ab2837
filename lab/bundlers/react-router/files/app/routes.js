// The pages.
import { index, route } from '@react-router/dev/routes';

export default [index('routes/home.jsx'), route('second', 'routes/second.jsx')];

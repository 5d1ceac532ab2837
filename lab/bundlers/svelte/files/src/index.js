// Mounts the page.
import { mount } from 'svelte';
import Page from './index.svelte';

mount(Page, { target: document.getElementById('app') });

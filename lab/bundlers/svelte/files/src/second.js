// Mounts the page.
import { mount } from 'svelte';
import Page from './second.svelte';

mount(Page, { target: document.getElementById('app') });

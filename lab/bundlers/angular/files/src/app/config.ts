// The pages and their data.
import type { ApplicationConfig } from '@angular/core';
import { provideClientHydration } from '@angular/platform-browser';
import { provideRouter, type Routes } from '@angular/router';

const routes: Routes = [
  { path: '', title: 'Harbour', loadComponent: () => import('./home').then((module) => module.Home) },
  { path: 'second', title: 'Second | Harbour', loadComponent: () => import('./second').then((module) => module.Second) },
];

export const config: ApplicationConfig = { providers: [provideRouter(routes), provideClientHydration()] };

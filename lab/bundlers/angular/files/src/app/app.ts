// Shared by all pages.
import { Component } from '@angular/core';
import { RouterLink, RouterOutlet } from '@angular/router';

@Component({
  selector: 'app-root',
  imports: [RouterLink, RouterOutlet],
  template: `
    <nav><a routerLink="/">Home</a> <a routerLink="/second">Second</a></nav>
    <main><router-outlet /></main>
  `,
})
export class App {}

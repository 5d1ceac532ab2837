// Shared by all pages.
import { LinkTo } from '@ember/routing';

<template>
  <nav><LinkTo @route="index">Home</LinkTo> <LinkTo @route="second">Second</LinkTo></nav>
  <main>{{outlet}}</main>
</template>

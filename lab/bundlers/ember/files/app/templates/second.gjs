// The second page: a module that a click imports.
import Tides from '../components/tides';

<template>
  <h1>The second page</h1>
  <Tides />
</template>

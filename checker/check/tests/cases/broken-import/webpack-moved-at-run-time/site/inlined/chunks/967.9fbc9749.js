(self.webpackChunkinlined=self.webpackChunkinlined||[]).push([[967],{}])

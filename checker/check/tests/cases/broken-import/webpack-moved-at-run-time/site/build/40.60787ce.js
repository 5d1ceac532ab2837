(self.webpackChunklite=self.webpackChunklite||[]).push([[40],{}])

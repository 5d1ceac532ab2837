(self.webpackChunkcopies=self.webpackChunkcopies||[]).push([[7],{}])

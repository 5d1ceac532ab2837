self.more = 1;

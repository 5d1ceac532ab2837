self.part = 1;

start()

<Link to="/home-gone/">x</Link>

<Link to="/menu-gone">x</Link>

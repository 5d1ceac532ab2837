<>
  <Image src="/gone.png" alt="x" />
  <Image src="/twice.png" alt="x" />
  <Image src="/twice.png" alt="x" />
</>

//! Reads the dimensions of images.

use imagesize::ImageType;

/// Returns the width and height in pixels at which browsers show an image: those of PNG, GIF, WebP, and of JPEG without
/// metadata, which may rotate it.
pub(super) fn dimensions(image: &[u8]) -> Option<(usize, usize)> {
    let is_plain = match imagesize::image_type(image).ok()? {
        ImageType::Png | ImageType::Gif => true,
        ImageType::Jpeg | ImageType::Webp => {
            memchr::memmem::find(image, b"Exif").is_none() && memchr::memmem::find(image, b"EXIF").is_none()
        }
        _ => false,
    };
    let size = imagesize::blob_size(image).ok().filter(|_| is_plain)?;
    (size.width > 0 && size.height > 0).then_some((size.width, size.height))
}

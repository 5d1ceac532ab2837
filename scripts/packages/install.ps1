# Installs sitegate @VERSION@ to %LOCALAPPDATA%\Programs\sitegate, or to the folder that SITEGATE_BIN names. Installs it
# only if its archive has the checksum below.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue' # the progress bar makes downloads slow

function Install-Sitegate {
    $archive = '@ARCHIVE@'
    $sum = '@SUM@'
    $bin = if ($env:SITEGATE_BIN) { $env:SITEGATE_BIN } else { Join-Path $env:LOCALAPPDATA 'Programs\sitegate' }
    $temporary = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
    New-Item -ItemType Directory -Path $temporary | Out-Null
    try {
        $file = Join-Path $temporary $archive
        Invoke-WebRequest -UseBasicParsing -Uri "@RELEASES@/$archive" -OutFile $file
        if ((Get-FileHash -Algorithm SHA256 -Path $file).Hash -ne $sum) {
            throw "$archive does not have the checksum of this release; not installed"
        }
        Expand-Archive -Path $file -DestinationPath $temporary
        New-Item -ItemType Directory -Force -Path $bin | Out-Null
        Move-Item -Force -Path (Join-Path $temporary 'sitegate.exe') -Destination $bin
    } finally {
        Remove-Item -Recurse -Force -Path $temporary
    }
    Write-Output "installed $bin\sitegate.exe"
    if (($env:Path -split ';') -notcontains $bin) { Write-Output "add $bin to the PATH" }
}

# Nothing runs before the last line has arrived.
Install-Sitegate

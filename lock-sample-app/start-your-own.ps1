# Makes a project of its own out of the order application of this sample. See docs/sample.md.
# start-your-own does the same in a POSIX shell; StartYourOwnTest compares both.

param([string] $Folder = '', [string] $Package = 'com.example.orders')

$ErrorActionPreference = 'Stop'

$usage = 'Usage: start-your-own.ps1 FOLDER [PACKAGE]     for example: start-your-own.ps1 ..\my-app com.example.orders'
# The showcase with its page and its settings in tests, and what only the checkers of this project read.
$leftOut = '/showcase/|/static/|/package-info[.]java$|^src/test/resources/'
$utf8 = New-Object System.Text.UTF8Encoding $false

function Fail([string] $message) {
    [Console]::Error.WriteLine("start-your-own: $message")
    exit 1
}

if (-not $Folder -or $args) { Fail $usage }
if ($Package -cnotmatch '\A[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*\z') {
    Fail "$Package is not a package name: use lower-case words with dots between them, such as com.example.orders."
}

$sample = $PSScriptRoot
$library = Split-Path -Parent $sample
$target = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($Folder).TrimEnd('\', '/')

if (Test-Path -LiteralPath $target) {
    if (-not (Test-Path -LiteralPath $target -PathType Container)) {
        Fail "$Folder is a file. Choose a new or an empty folder."
    }
    if (Get-ChildItem -LiteralPath $target -Force | Select-Object -First 1) {
        Fail "$Folder is not empty. Choose a new or an empty folder."
    }
}
[void] [System.IO.Directory]::CreateDirectory($target)
$name = ((Split-Path -Leaf $target) -replace '[^A-Za-z0-9._-]+', '-' -replace '^[.-]+', '').TrimEnd('-')
if (-not $name) { $name = 'my-app' }

function TextOf([string] $file) { [System.IO.File]::ReadAllText($file, $utf8) }

function Find([string] $pattern, [string] $pom) {
    $found = [regex]::Match((TextOf $pom), $pattern)
    if (-not $found.Success) { Fail "$pom does not contain $pattern" }
    $found.Groups[1].Value
}

# Its value in the pom of the library.
function Property([string] $property) {
    Find "<$([regex]::Escape($property))>([^<]*)</" (Join-Path $library 'pom.xml')
}

$version = Find '(?s)<parent>.*?<version>([^<]*)</version>' (Join-Path $sample 'pom.xml')

# The names of the new project and the versions of this one.
$changes = [ordered] @{
    'io.distributionlock.sample' = $Package
    'name: lock-sample-app' = "name: $name"
    '-pl lock-sample-app -am ' = ''
    '/lock-sample-app/' = '/'
    '@name@' = $name
    '@package@' = $Package
    '@version@' = $version
    '@spring-boot@' = Property 'spring-boot-baseline.version'
    '@java@' = Property 'java.version'
    '@embedded-redis@' = Property 'embedded-redis.version'
    '@jspecify@' = Property 'jspecify.version'
}

function Place([string] $path) {
    $file = Join-Path $target $path
    [void] [System.IO.Directory]::CreateDirectory((Split-Path -Parent $file))
    $file
}

function Rewrite([string] $file, [string] $path) {
    $text = TextOf $file
    foreach ($change in $changes.GetEnumerator()) { $text = $text.Replace($change.Key, $change.Value) }
    [System.IO.File]::WriteAllText((Place $path), $text, $utf8)
}

$packages = $Package.Replace('.', '/')
foreach ($file in Get-ChildItem -LiteralPath (Join-Path $sample 'src') -Recurse -File -Force) {
    $path = $file.FullName.Substring($sample.Length + 1).Replace('\', '/')
    if ($path -cnotmatch $leftOut) {
        Rewrite $file.FullName $path.Replace('io/distributionlock/sample', $packages)
    }
}

# The showcase has its settings in a document of its own, the last one.
$settings = Place 'src/main/resources/application.yml'
[System.IO.File]::WriteAllText($settings, ((TextOf $settings) -replace '(?ms)^---.*', ''), $utf8)

foreach ($line in [System.IO.File]::ReadAllLines((Join-Path $sample 'start-your-own.d/files'))) {
    if ($line -notmatch '^#') {
        $from, $to = -split $line
        Rewrite (Join-Path $library $from) $to
    }
}
if (Get-Command chmod -ErrorAction SilentlyContinue) { chmod +x (Place 'mvnw') }

@"
Made $target

1. Install the starter, which is not published yet:
     cd '$library'
     .\mvnw.cmd install -pl "lock-bom,lock-spring-boot-starter" -am "-Dmaven.test.skip"
2. Start your application:
     cd '$target'
     .\mvnw.cmd spring-boot:run
   Then open http://localhost:8080/api/

README.md says how to test it, and what to change first.
"@

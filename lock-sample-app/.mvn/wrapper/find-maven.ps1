# Prints the mvn.cmd to run, after downloading it if need be; the rules are those of mvnw. Called by mvnw.cmd.

$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

function Fail([string] $message) {
    [Console]::Error.WriteLine("mvnw: $message")
    exit 1
}

function VersionOf([string] $mvn) {
    $first = & $mvn -v 2>$null | Select-String 'Apache Maven (\d+(\.\d+)+)' | Select-Object -First 1
    if ($first) { [version] $first.Matches[0].Groups[1].Value }
}

$properties = ConvertFrom-StringData (Get-Content -Raw (Join-Path $PSScriptRoot 'maven-wrapper.properties'))
$minimum = [version] $properties.minimumVersion

if ($env:JAVA_HOME) {
    if (-not (Test-Path "$env:JAVA_HOME\bin\java.exe")) {
        Fail "JAVA_HOME is $env:JAVA_HOME, but there is no bin\java.exe in it. Let it point to a JDK of version 17 or later."
    }
} elseif (-not (Get-Command java -ErrorAction SilentlyContinue)) {
    Fail 'No Java found: install a JDK of version 17 or later, and set JAVA_HOME or put its bin on the PATH.'
}

$candidates = @()
if ($env:MAVEN_HOME) { $candidates += "$env:MAVEN_HOME\bin\mvn.cmd" }
$onPath = Get-Command mvn.cmd -ErrorAction SilentlyContinue
if ($onPath) { $candidates += $onPath.Source }
foreach ($mvn in $candidates) {
    if ((Test-Path $mvn) -and (VersionOf $mvn) -ge $minimum) {
        $mvn
        exit 0
    }
}

$wrapperHome = if ($env:MAVEN_WRAPPER_HOME) { $env:MAVEN_WRAPPER_HOME } else { "$HOME\.m2\wrapper" }
$name = "apache-maven-$($properties.distributionVersion)"
$installed = Join-Path $wrapperHome $name
if (-not (Test-Path "$installed\bin\mvn.cmd")) {
    $url = $properties.distributionUrl
    [Console]::Error.WriteLine("mvnw: Maven $minimum or later is needed and not installed. Downloading $url")
    $work = New-Item -ItemType Directory -Path (Join-Path $wrapperHome "download.$PID") -Force
    try {
        $archive = Join-Path $work 'maven.tar.gz'
        [Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12
        try {
            Invoke-WebRequest -UseBasicParsing -Uri $url -OutFile $archive
        } catch {
            Fail "The download of $url failed: $($_.Exception.Message) Install Maven $minimum or later instead."
        }
        if ((Get-FileHash -Algorithm SHA512 $archive).Hash -ne $properties.distributionSha512Sum) {
            Fail "The checksum of $url is wrong, so the file was deleted."
        }
        tar.exe -xzf $archive -C $work.FullName
        if (-not (Test-Path "$work\$name\bin\mvn.cmd")) { Fail "There is no $name\bin\mvn.cmd in $url." }
        if (-not (Test-Path $installed)) { Move-Item (Join-Path $work $name) $installed }
    } finally {
        Remove-Item -Recurse -Force $work
    }
}
"$installed\bin\mvn.cmd"

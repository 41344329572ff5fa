@echo off
rem Runs Maven: an installed one if it is new enough, else a downloaded one. See mvnw, which does the same elsewhere.
setlocal
set "MVN="
for /f "usebackq delims=" %%m in (`powershell -NoProfile -ExecutionPolicy Bypass -File "%~dp0.mvn\wrapper\find-maven.ps1"`) do set "MVN=%%m"
if not defined MVN exit /b 1
call "%MVN%" %*
exit /b %ERRORLEVEL%

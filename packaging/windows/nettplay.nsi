; The installer for Windows: for one user, without an administrator's rights. /S installs without a question.
; makensis -DVERSION=1.2.3 -DFROM=folder -DICON=file.ico -DOUT=file.exe nettplay.nsi
Target amd64-unicode
Unicode true
SetCompressor /SOLID lzma
RequestExecutionLevel user
Name "nettplay"
OutFile "${OUT}"
Icon "${ICON}"
UninstallIcon "${ICON}"
ManifestDPIAware true
InstallDir "$LOCALAPPDATA\Programs\nettplay"
InstallDirRegKey HKCU "Software\nettplay" "folder"
!define GONE "Software\Microsoft\Windows\CurrentVersion\Uninstall\nettplay"
Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

; class ENDING NAME TEXT: what a double click on a file of a kind does. Its icon is the program's second one.
!macro class ending name text
	WriteRegStr HKCU "Software\Classes\${ending}" "" "${name}"
	WriteRegStr HKCU "Software\Classes\${name}" "" "${text}"
	WriteRegStr HKCU "Software\Classes\${name}\DefaultIcon" "" "$INSTDIR\nettplay.exe,1"
	WriteRegStr HKCU "Software\Classes\${name}\shell\open\command" "" '"$INSTDIR\nettplay.exe" "%1"'
!macroend

Section
	SetOutPath "$INSTDIR"
	File "${FROM}\nettplay.exe"
	File "${FROM}\SDL2.dll"
	File "${FROM}\LICENSE.txt"
	File "${FROM}\README.txt"
	; An AppContainer, in which consoles run, may read what the program is made of.
	nsExec::Exec '"$SYSDIR\icacls.exe" "$INSTDIR" /grant *S-1-15-2-1:(OI)(CI)(RX)'
	Pop $0
	CreateShortcut "$SMPROGRAMS\nettplay.lnk" "$INSTDIR\nettplay.exe"
	!insertmacro class ".nplog" "nettplay.recording" "Recording of a game"
	!insertmacro class ".npmoment" "nettplay.moment" "Kept moment of a game"
	WriteRegStr HKCU "Software\Classes\nettplay" "" "URL:Invitation to a game"
	WriteRegStr HKCU "Software\Classes\nettplay" "URL Protocol" ""
	WriteRegStr HKCU "Software\Classes\nettplay\DefaultIcon" "" "$INSTDIR\nettplay.exe,0"
	WriteRegStr HKCU "Software\Classes\nettplay\shell\open\command" "" '"$INSTDIR\nettplay.exe" "%1"'
	WriteRegStr HKCU "Software\nettplay" "folder" "$INSTDIR"
	WriteUninstaller "$INSTDIR\uninstall.exe"
	WriteRegStr HKCU "${GONE}" "DisplayName" "nettplay"
	WriteRegStr HKCU "${GONE}" "DisplayVersion" "${VERSION}"
	WriteRegStr HKCU "${GONE}" "DisplayIcon" "$INSTDIR\nettplay.exe"
	WriteRegStr HKCU "${GONE}" "UninstallString" '"$INSTDIR\uninstall.exe"'
	WriteRegStr HKCU "${GONE}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
	WriteRegDWORD HKCU "${GONE}" "NoModify" 1
	WriteRegDWORD HKCU "${GONE}" "NoRepair" 1
SectionEnd

; Saves, recordings and settings stay: they lie in %APPDATA%\nettplay, where nothing is touched.
Section "Uninstall"
	Delete "$INSTDIR\nettplay.exe"
	Delete "$INSTDIR\SDL2.dll"
	Delete "$INSTDIR\LICENSE.txt"
	Delete "$INSTDIR\README.txt"
	Delete "$INSTDIR\uninstall.exe"
	RMDir "$INSTDIR"
	Delete "$SMPROGRAMS\nettplay.lnk"
	DeleteRegKey HKCU "Software\Classes\.nplog"
	DeleteRegKey HKCU "Software\Classes\.npmoment"
	DeleteRegKey HKCU "Software\Classes\nettplay.recording"
	DeleteRegKey HKCU "Software\Classes\nettplay.moment"
	DeleteRegKey HKCU "Software\Classes\nettplay"
	DeleteRegKey HKCU "Software\nettplay"
	DeleteRegKey HKCU "${GONE}"
SectionEnd

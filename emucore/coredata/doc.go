// Package coredata reads and writes what cores keep outside of libretro's interface: where in
// DeSmuME's states a console's memory and lid are, DeSmuME's save files (.dsv), and how melonDS'
// states hang together. It checks each length, since states and saves come from other machines,
// and cores believe everything.
//
// The profiles of package emucore use it; read next: emucore/profile.go.
package coredata

package emucore
import ("testing";"os";"time";"context")
func TestZZ(t *testing.T) {
	for _, core := range []string{desmumePath(), "/tmp/np/melonds/melondsds_libretro.so"} {
		c, err := OpenCore(context.Background(), core); if err != nil { t.Log(err); continue }
		for _, m := range []string{"8","64","256"} {
			rom, err := OpenROM("/tmp/np/v2/radio/big/"+m+".nds"); if err != nil { t.Fatal(err) }
			s := time.Now()
			con, err := Start(context.Background(), Config{Core: c, ROM: rom, RTC: 1e9, Firmware: Firmware{Language:1}, limits: patient})
			if err != nil { t.Log(err); continue }
			cpu, _ := cpuTime(con.proc.pid())
			t.Log(c.Name, m, "MB: cpu", cpu, "wall", time.Since(s))
			con.Close()
		}
	}
	_ = os.Args
}

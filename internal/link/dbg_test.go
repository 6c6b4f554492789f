package link
import ("testing";"testing/synctest";"fmt";"time";"context")
func TestDbg(t *testing.T) { for seed := range uint64(12) { synctest.Test(t, func(t *testing.T) {
	m := NewMemory(seed, badLine); a, b := m.Listen("a"), m.Listen("b")
	p, err := a.Dial(context.Background(), "b"); if err != nil { t.Fatal(err) }
	go func(){for range a.Events(){}}()
	want(t,b,Connected)
	start := time.Now()
	for range 3 { send(t,a,p,Control,pattern(3,MaxControl)) }
	send(t,a,p,Bulk,"last")
	a.Disconnect(p, "x")
	for { ev := next(t,b); fmt.Println(seed, ev.Kind, ev.Channel, len(ev.Data), time.Since(start)); if ev.Kind==Disconnected {break} }
	a.Close(); b.Close()
})}}

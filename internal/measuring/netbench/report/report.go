// Package report makes of measurements what people read: the table, the comparison of two builds,
// and pictures of distributions. It is pure but for [Report.Write]. Package netbench measures.
package report

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/nettplay/nettplay/internal/disk"

	"github.com/nettplay/nettplay/internal/measuring/netbench"
)

//go:embed report.md
var reportText string

// Report is the page about a measurement.
type Report struct {
	Rows     []netbench.Row
	Setting  string // how it was measured, in words
	Swept    bool   // the rows are cases with several delays each
	Compares bool
}

// Markdown is the page. Pictures are the names of those that stand beside it in images/.
func (r *Report) Markdown(pictures []string) (string, error) {
	t, err := template.New("report").Parse(reportText)
	if err != nil {
		return "", err
	}
	data := struct {
		*Report
		Tables, Above, Sweep, Compared string
		Pictures                       []string
	}{Report: r, Tables: Tables(r.Rows), Above: Above(r.Rows), Pictures: pictures}
	if r.Swept {
		data.Sweep = Sweep(r.Rows)
	}
	if r.Compares {
		data.Compared = Compared(r.Rows)
	}
	var b strings.Builder
	err = t.Execute(&b, data)
	return b.String(), err
}

// Write writes the page and its pictures into a folder like docs/.
func (r *Report) Write(docs string) error {
	pictures, err := Pictures(r.Rows)
	if err != nil {
		return err
	}
	failed := os.MkdirAll(filepath.Join(docs, "images"), 0o755)
	var names []string
	for _, p := range pictures {
		names = append(names, p.Name)
		failed = errors.Join(failed, disk.Write(filepath.Join(docs, "images", p.Name), p.SVG, 0o644))
	}
	page, err := r.Markdown(names)
	if err != nil {
		return err
	}
	return errors.Join(failed, disk.Write(filepath.Join(docs, "netbench.md"), []byte(page), 0o644))
}

// Sweep tells for cases that were played with several delays which was the best: the shortest one
// with which at most [Share] of the inputs was late and nothing stalled.
func Sweep(rows []netbench.Row) string {
	var b strings.Builder
	best, order := map[string]string{}, []string(nil)
	for i := range rows {
		r := &rows[i]
		if _, known := best[r.Case.Name]; !known {
			best[r.Case.Name] = ""
			order = append(order, r.Case.Name)
		}
		if r.Err == nil && best[r.Case.Name] == "" && r.New.Lates.Share() <= Share && r.New.Stalls == 0 {
			best[r.Case.Name] = r.Delay
		}
	}
	for _, name := range order {
		if best[name] == "" {
			fmt.Fprintf(&b, "* `%s`: none of the delays was long enough.\n", name)
			continue
		}
		fmt.Fprintf(&b, "* `%s`: the best delay is %s.\n", name, best[name])
	}
	return b.String()
}

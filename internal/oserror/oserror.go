// Package oserror tells what an error of the system means, where systems differ in the numbers.
package oserror
